//! A mounted file system: geometry, effects of its options, fill level and age.

use std::path::Path;
use std::time::Duration;

use cardiograph_core::drive::{
    Created, CreatedSource, Fact, FileSystem, Geometry, Inodes, Mount, MountEffect, PathFlag, Unknown, Why,
};

use crate::block::BlockDevice;
use crate::content;
use crate::system::System;
use live::Live;

mod effects;
mod ext;
mod live;
mod sysfs;
mod xfs;

/// FAT stores the length of a file in 32 bits.
const FAT_FILE_LEN_BYTES_MAX: u64 = (4 << 30) - 1;
/// The kernel updates a mounted superblock and its checksum one after another: a mismatch may be gone at the
/// next attempt.
const SUPERBLOCK_LOOKS: u32 = 3;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Describes the file system of `mount`, on the devices `tops`. `live` is a path in it for live queries.
pub(crate) fn describe(
    system: &System,
    mount: &Mount,
    tops: &[BlockDevice],
    live: Option<&Path>,
) -> FileSystem {
    let fs_type = mount.fs_type.as_str();
    let answer = live.map(|path| live::ask(path, &mount.mount_point, fs_type == "xfs"));
    let why_silent = match &answer {
        Some(Err(error)) => content::reason(error),
        _ => Why::NotReported,
    };
    let live = answer.and_then(Result::ok).unwrap_or_default();
    let (geometry, superblock_created) = match geometry(system, fs_type, tops, live.xfs.as_ref(), why_silent)
    {
        Some(Ok((geometry, created))) => (Some(Ok(geometry)), created),
        Some(Err(why)) => (Some(Err(why)), None),
        None => (None, None),
    };
    let effects: Vec<MountEffect> =
        mount.options.iter().filter_map(|option| effects::parse_option(option)).collect();
    let unknown = match &geometry {
        Some(Err(why)) => vec![Unknown { fact: Fact::FileSystemGeometry, why: why.clone() }],
        _ => Vec::new(),
    };
    FileSystem {
        block_bytes: Some(live.block_bytes).filter(|&bytes| bytes > 0),
        free_bytes: (live.block_bytes > 0).then(|| live.blocks_free.saturating_mul(live.block_bytes)),
        inodes: inodes(&live),
        created: created(superblock_created, live.root_created_unix_s, mount),
        copy_on_write: copy_on_write(fs_type, &effects, &live.flags),
        file_len_bytes_max: matches!(fs_type, "vfat" | "msdos").then_some(FAT_FILE_LEN_BYTES_MAX),
        effects,
        flags: live.flags,
        geometry: geometry.and_then(Result::ok),
        unknown,
    }
}

type Seen = (Geometry, Option<u64>);

/// Geometry and creation time in seconds since 1970, if known. `None` for unsupported types.
fn geometry(
    system: &System,
    fs_type: &str,
    tops: &[BlockDevice],
    xfs: Option<&std::io::Result<crate::ioctl::XfsGeometryV4>>,
    why_silent: Why,
) -> Option<Result<Seen, Why>> {
    let plain =
        |geometry: Option<Geometry>| Some(geometry.map(|geometry| (geometry, None)).ok_or(Why::NotReported));
    match fs_type {
        "xfs" => Some(match xfs {
            Some(Ok(raw)) => Ok((Geometry::Xfs(xfs::geometry(raw)), None)),
            Some(Err(error)) => Err(content::reason(error)),
            None => Err(why_silent),
        }),
        "ext2" | "ext3" | "ext4" => Some(match tops {
            [device] => superblock(system, device)
                .map(|superblock| (Geometry::Ext(superblock.geometry), superblock.created_unix_s)),
            _ => Err(Why::NotReported),
        }),
        "btrfs" => plain(tops.first().and_then(|device| sysfs::btrfs(system, device)).map(Geometry::Btrfs)),
        "f2fs" => plain(tops.first().and_then(|device| sysfs::f2fs(system, device)).map(Geometry::F2fs)),
        _ => None,
    }
}

fn superblock(system: &System, device: &BlockDevice) -> Result<ext::Superblock, Why> {
    for look in 0..SUPERBLOCK_LOOKS {
        if look > 0 {
            std::thread::sleep(BETWEEN_LOOKS);
        }
        let bytes = content::read(system, device, ext::SUPERBLOCK_OFFSET_BYTES, ext::SUPERBLOCK_LEN_BYTES)?;
        if let Some(superblock) = ext::parse(&bytes) {
            return Ok(superblock);
        }
    }
    Err(Why::Senseless)
}

fn inodes(live: &Live) -> Option<Inodes> {
    let is_possible = live.inodes > 0 && live.inodes_free <= live.inodes;
    is_possible.then_some(Inodes { total: live.inodes, free: live.inodes_free })
}

/// Creation time. A file system in memory was created when mounted, which is not interesting.
fn created(superblock: Option<u64>, mount_root: Option<u64>, mount: &Mount) -> Option<Created> {
    let root = mount_root.filter(|_| !mount.is_memory && mount.source.starts_with('/'));
    let of = |unix_s, source| Created { unix_s, source };
    superblock
        .map(|unix_s| of(unix_s, CreatedSource::Superblock))
        .or_else(|| root.map(|unix_s| of(unix_s, CreatedSource::MountRoot)))
}

fn copy_on_write(fs_type: &str, effects: &[MountEffect], flags: &[PathFlag]) -> Option<bool> {
    match fs_type {
        "btrfs" | "bcachefs" => {
            let is_off =
                effects.contains(&MountEffect::NoCopyOnWrite) || flags.contains(&PathFlag::NoCopyOnWrite);
            Some(!is_off)
        }
        "zfs" => Some(true),
        // XFS copies only shared extents. F2FS decides by itself, and is not listed.
        "ext2" | "ext3" | "ext4" | "xfs" | "vfat" | "msdos" | "exfat" | "ntfs" | "ntfs3" | "jfs" => {
            Some(false)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use cardiograph_core::drive::{ExtJournal, XfsGeometry};
    use cardiograph_testing::LoopMount;

    use super::*;
    use crate::fixture;
    use crate::system::Space;

    fn identified(path: &Path) -> Mount {
        System::local().identify(path).unwrap().mount.unwrap()
    }

    fn output_of(program: &str, argument: &Path) -> String {
        let output = Command::new(program).arg(argument).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[test]
    fn xfs_geometry_matches_xfs_info() {
        // The first is the file system of the SSD comparison, in a RAID 0 with all of these set explicitly.
        let cases: [&[&str]; 3] = [
            &["mkfs.xfs", "-q", "-b", "size=4096", "-i", "size=512", "-l", "size=64m"],
            &["mkfs.xfs", "-q", "-m", "crc=0,finobt=0,reflink=0", "-i", "size=256", "-d", "agcount=6"],
            &["mkfs.xfs", "-q", "-d", "su=64k,sw=4", "-m", "rmapbt=1", "-m", "bigtime=0"],
        ];
        for mkfs in cases {
            let mounted = match LoopMount::new(mkfs, 512 << 20, "noatime,logbufs=8") {
                Ok(mounted) => mounted,
                Err(reason) => return cardiograph_testing::skip("what an XFS was made with", &reason),
            };
            let file_system = identified(mounted.path()).file_system.unwrap();
            let Some(Geometry::Xfs(xfs)) = file_system.geometry else { panic!("{file_system:?}") };
            let output = output_of("xfs_info", mounted.path()).replace(char::is_whitespace, " ");
            let output = output.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            let XfsGeometry { block_bytes, inode_bytes, sector_bytes, groups, log_bytes, .. } = xfs;
            let blocks = |bytes: u64| bytes / block_bytes;
            for expected in [
                format!("isize={inode_bytes} agcount={groups},"),
                format!("sectsz={sector_bytes} attr=2"),
                format!("crc={}", u8::from(xfs.has_checksums)),
                format!("rmapbt={}", u8::from(xfs.has_reverse_map)),
                format!("reflink={} bigtime={}", u8::from(xfs.has_reflink), u8::from(xfs.has_bigtime)),
                format!(
                    "sunit={} swidth={} blks",
                    blocks(xfs.stripe_unit_bytes),
                    blocks(xfs.stripe_width_bytes)
                ),
                format!("log =internal log bsize={block_bytes} blocks={}", blocks(log_bytes)),
            ] {
                assert!(output.contains(&expected), "{expected:?} in {output}");
            }
            assert!(!xfs.log_is_external);
            assert_eq!(file_system.block_bytes, Some(block_bytes));
            assert_eq!(file_system.effects, [MountEffect::NoAccessTimes]);
            assert_eq!(file_system.copy_on_write, Some(false));
            // Without checksums inodes have no creation time.
            let source = file_system.created.map(|created| created.source);
            assert_eq!(source, xfs.has_checksums.then_some(CreatedSource::MountRoot));
        }
    }

    #[test]
    fn an_ext4_is_read_while_mounted() {
        let mkfs = ["mkfs.ext4", "-q", "-b", "4096", "-I", "512", "-J", "size=8", "-m", "2"];
        let mounted = match LoopMount::new(&mkfs, 64 << 20, "data=journal,commit=30") {
            Ok(mounted) => mounted,
            Err(reason) => return cardiograph_testing::skip("what an ext4 was made with", &reason),
        };
        let file_system = identified(mounted.path()).file_system.unwrap();
        let Some(Geometry::Ext(ext)) = &file_system.geometry else { panic!("{file_system:?}") };
        assert_eq!((ext.block_bytes, ext.inode_bytes), (4_096, 512));
        assert_eq!(ext.journal, ExtJournal::Internal { len_bytes: Some(8 << 20) });
        assert!(ext.features.iter().any(|feature| feature == "needs_recovery"), "{ext:?}");
        let inodes = file_system.inodes.unwrap();
        // The first ten are reserved, the eleventh is lost+found.
        assert_eq!(inodes.total - inodes.free, 11);
        let expected = [MountEffect::CommitsEvery { seconds: 30 }, MountEffect::DataJournaled];
        assert!(
            expected.iter().all(|effect| file_system.effects.contains(effect)),
            "{:?}",
            file_system.effects
        );
        assert_eq!(file_system.created.unwrap().source, CreatedSource::Superblock);
        let directory = mounted.path().join("synchronous");
        std::fs::create_dir(&directory).unwrap();
        cardiograph_testing::run(Command::new("chattr").arg("+S").arg(&directory)).unwrap();
        let flags = identified(&directory).file_system.unwrap().flags;
        assert_eq!(flags, [PathFlag::WritesWait]);
    }

    #[test]
    fn a_btrfs_is_read_while_mounted() {
        let mkfs = ["mkfs.btrfs", "-q", "-m", "single", "-n", "8192"];
        let mounted = match LoopMount::new(&mkfs, 256 << 20, "compress-force=zstd:5") {
            Ok(mounted) => mounted,
            Err(reason) => return cardiograph_testing::skip("what a btrfs was made with", &reason),
        };
        let file_system = identified(mounted.path()).file_system.unwrap();
        let Some(Geometry::Btrfs(btrfs)) = &file_system.geometry else { panic!("{file_system:?}") };
        let output = Command::new("btrfs").args(["filesystem", "show"]).arg(mounted.path()).output().unwrap();
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.contains(&format!("uuid: {}", btrfs.uuid)), "{btrfs:?} in {output}");
        assert!(output.contains(&format!("Total devices {}", btrfs.devices)), "{output}");
        assert_eq!((btrfs.node_bytes, btrfs.sector_bytes), (Some(8_192), Some(4_096)));
        assert_eq!(
            (&btrfs.data_profiles[..], &btrfs.metadata_profiles[..]),
            (&["single".to_string()][..], &["single".to_string()][..])
        );
        assert_eq!(btrfs.checksum.as_deref(), Some("crc32c"));
        let method = "zstd:5".to_string();
        assert!(file_system.effects.contains(&MountEffect::Compresses { method, is_forced: true }));
        assert_eq!((file_system.copy_on_write, file_system.inodes), (Some(true), None));
        let directory = mounted.path().join("database");
        std::fs::create_dir(&directory).unwrap();
        cardiograph_testing::run(Command::new("chattr").arg("+C").arg(&directory)).unwrap();
        let file_system = identified(&directory).file_system.unwrap();
        assert_eq!(file_system.flags, [PathFlag::NoCopyOnWrite]);
        assert_eq!(file_system.copy_on_write, Some(false));
    }

    #[test]
    fn unreadable_geometry_is_unknown_with_the_reason() {
        let pi = fixture::raspberry_pi();
        let system = pi.system();
        let of = |path: &str| {
            let drive = system.identify_mounted(Path::new(path), Space::default()).unwrap();
            drive.mount.unwrap().file_system.unwrap()
        };
        let unknown = |why| vec![Unknown { fact: Fact::FileSystemGeometry, why }];
        let missing = of("/home");
        assert!(matches!(missing.unknown[..], [Unknown { why: Why::Unreadable { .. }, .. }]));
        assert_eq!(missing.effects, [MountEffect::NoAccessTimes]);
        pi.file("dev/mmcblk0p2", [0xff; 4_096]);
        assert_eq!(of("/home").unknown, unknown(Why::Senseless));
        pi.file("dev/mmcblk0p2", [0xff; 1_500]);
        assert_eq!(of("/home").unknown, unknown(Why::Senseless));
        // Nothing can be read from FAT, but its limit is known.
        let fat = of("/boot/firmware");
        assert_eq!((fat.unknown, fat.file_len_bytes_max), (Vec::new(), Some(4_294_967_295)));
    }

    #[test]
    fn types_without_geometry_report_none_as_unknown() {
        let host = fixture::container_host();
        for path in ["/dev/shm", "/nfs", "/fuse", "/shared", "/merged"] {
            let drive = host.system().identify_mounted(Path::new(path), Space::default()).unwrap();
            let file_system = drive.mount.unwrap().file_system.unwrap();
            assert_eq!(file_system, FileSystem::default(), "{path}");
        }
    }

    #[test]
    fn a_btrfs_of_two_devices_is_described() {
        let host = fixture::btrfs_host();
        let drive = host.system().identify_mounted(Path::new("/mnt/a"), Space::default()).unwrap();
        assert_eq!(drive.tops(), ["loop25", "loop26"]);
        let file_system = drive.mount.unwrap().file_system.unwrap();
        let Some(Geometry::Btrfs(btrfs)) = &file_system.geometry else { panic!("{file_system:?}") };
        assert_eq!((btrfs.devices, &btrfs.data_profiles[..]), (2, &["raid0".to_string()][..]));
        assert!(file_system.effects.contains(&MountEffect::Discards { in_background: true }));
    }
}

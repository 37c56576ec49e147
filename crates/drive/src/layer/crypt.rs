//! Encryption by the device mapper: the key format and, if the header may be read, the cipher.
//!
//! Sources: LUKS1 On-Disk Format Specification 1.2.3, 2.1; LUKS2 On-Disk Format Specification 1.1.0, 2.1 and
//! 3.

use cardiograph_core::drive::{Encryption, EncryptionFormat, Fact, Unknown, Why};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::attribute;
use crate::block::{BlockDevice, SECTOR_LEN_BYTES};
use crate::content;
use crate::system::System;

const MAGIC: &[u8] = b"LUKS\xba\xbe";
/// Both versions have the required fields before this offset, except for LUKS2's JSON, whose length is here.
const HEAD_LEN_BYTES: usize = 4_096;
/// Maximum header length of LUKS2.
const LUKS2_HEADER_LEN_BYTES_MAX: u64 = 4 << 20;

/// The key format, from the mapping's prefix; `None` if it does not encrypt.
pub(super) fn format(uuid: &str) -> Option<EncryptionFormat> {
    let (format, _) = uuid.strip_prefix("CRYPT-")?.split_once('-')?;
    match format {
        "LUKS1" => Some(EncryptionFormat::Luks1),
        "LUKS2" => Some(EncryptionFormat::Luks2),
        "PLAIN" => Some(EncryptionFormat::Plain),
        "BITLK" => Some(EncryptionFormat::Bitlocker),
        "TCRYPT" => Some(EncryptionFormat::Veracrypt),
        // These verify data but do not encrypt it.
        "VERITY" | "INTEGRITY" => None,
        other => Some(EncryptionFormat::Other(other.to_ascii_lowercase())),
    }
}

/// Adds the information in the header.
pub(super) fn describe(
    system: &System,
    device: &BlockDevice,
    format: EncryptionFormat,
    unknown: &mut Vec<Unknown>,
) -> Encryption {
    let header = match (&format, device.slaves().as_slice()) {
        (EncryptionFormat::Luks1 | EncryptionFormat::Luks2, [below]) => read_header(system, below, &format),
        _ => Err(Why::NotReported),
    };
    let header = header.unwrap_or_else(|why| {
        unknown.push(Unknown { fact: Fact::Cipher, why });
        Header::default()
    });
    Encryption {
        format,
        cipher: header.cipher,
        sector_bytes: header.sector_bytes,
        data_offset_bytes: header.data_offset_bytes,
    }
}

/// Information in a header.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    cipher: Option<String>,
    sector_bytes: Option<u64>,
    data_offset_bytes: Option<u64>,
}

fn read_header(system: &System, device: &BlockDevice, format: &EncryptionFormat) -> Result<Header, Why> {
    let head = content::read(system, device, 0, HEAD_LEN_BYTES)?;
    // The header may be detached.
    if !head.starts_with(MAGIC) {
        return Err(Why::NotReported);
    }
    if *format == EncryptionFormat::Luks1 {
        return parse_luks1(&head).ok_or(Why::Senseless);
    }
    let len_bytes = luks2_len_bytes(&head).ok_or(Why::Senseless)?;
    let header = content::read(system, device, 0, len_bytes)?;
    parse_luks2(header).ok_or(Why::Senseless)
}

/// A LUKS1 header: names in fixed fields, big-endian numbers.
fn parse_luks1(head: &[u8]) -> Option<Header> {
    let version = u16::from_be_bytes(*head.get(6..)?.first_chunk()?);
    let text = |at: usize| {
        let field = head.get(at..at + 32)?;
        let end = field.iter().position(|&byte| byte == 0)?;
        attribute::clean(&field[..end]).filter(|text| text.is_ascii())
    };
    let (name, mode) = (text(8)?, text(40)?);
    let data_offset_sectors = u32::from_be_bytes(*head.get(104..)?.first_chunk()?);
    (version == 1).then(|| Header {
        cipher: Some(format!("{name}-{mode}")),
        sector_bytes: Some(SECTOR_LEN_BYTES),
        data_offset_bytes: Some(u64::from(data_offset_sectors) * SECTOR_LEN_BYTES),
    })
}

/// Length of a LUKS2 header, including its JSON.
fn luks2_len_bytes(head: &[u8]) -> Option<usize> {
    let version = u16::from_be_bytes(*head.get(6..)?.first_chunk()?);
    let len_bytes = u64::from_be_bytes(*head.get(8..)?.first_chunk()?);
    let is_possible =
        version == 2 && (HEAD_LEN_BYTES as u64 + 1..=LUKS2_HEADER_LEN_BYTES_MAX).contains(&len_bytes);
    is_possible.then(|| usize::try_from(len_bytes).ok()).flatten()
}

/// A LUKS2 header: a block of numbers with a checksum, then JSON.
fn parse_luks2(mut header: Vec<u8>) -> Option<Header> {
    const CHECKSUM: std::ops::Range<usize> = 448..512;
    let expected: [u8; 32] = *header.get(CHECKSUM)?.first_chunk()?;
    let is_sha256 = header.get(72..104)?.starts_with(b"sha256\0");
    // The checksum field counts as zeros.
    header.get_mut(CHECKSUM)?.fill(0);
    if is_sha256 && Sha256::digest(&header)[..] != expected {
        return None;
    }
    let text = header.get(HEAD_LEN_BYTES..)?.split(|&byte| byte == 0).next()?;
    let json: Value = serde_json::from_slice(text).ok()?;
    let segments = json.get("segments")?.as_object()?;
    let segment =
        segments.values().find(|segment| segment.get("type").is_some_and(|kind| kind == "crypt"))?;
    let cipher = segment.get("encryption")?.as_str()?;
    // Numbers too large for JSON are strings.
    let offset_bytes = segment.get("offset").and_then(|offset| offset.as_str()?.parse().ok());
    Some(Header {
        cipher: attribute::clean(cipher.as_bytes()),
        sector_bytes: segment.get("sector_size").and_then(Value::as_u64),
        data_offset_bytes: offset_bytes,
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use cardiograph_core::drive::{Layer, LayerDetail};
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::{self, Fixture};

    fn crypt_layer(fixture: &Fixture) -> Layer {
        let system = fixture.system();
        super::super::describe(&system, &system.block_by_name("dm-1").unwrap()).unwrap()
    }

    fn encryption(layer: &Layer) -> &Encryption {
        match &layer.detail {
            Some(LayerDetail::Crypt(encryption)) => encryption,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_prefix_identifies_the_key_format() {
        let cases = [
            ("CRYPT-LUKS2-0123-root", Some(EncryptionFormat::Luks2)),
            ("CRYPT-LUKS1-0123-root", Some(EncryptionFormat::Luks1)),
            ("CRYPT-PLAIN-swap", Some(EncryptionFormat::Plain)),
            ("CRYPT-BITLK-0123-c", Some(EncryptionFormat::Bitlocker)),
            ("CRYPT-TCRYPT-0123-c", Some(EncryptionFormat::Veracrypt)),
            ("CRYPT-LOOPAES-0123-c", Some(EncryptionFormat::Other("loopaes".to_string()))),
            ("CRYPT-VERITY-0123-root", None),
            ("LVM-CRYPT", None),
            ("CRYPT-", None),
            ("", None),
        ];
        for (uuid, expected) in cases {
            assert_eq!(format(uuid), expected, "{uuid}");
        }
    }

    #[test]
    fn the_reason_for_an_unknown_cipher_is_reported() {
        let cases: [(&[u8], Why); 4] = [
            (&[0; HEAD_LEN_BYTES], Why::NotReported),
            (b"LUKS\xba\xbe\0\x02", Why::Senseless),
            (&[&b"LUKS\xba\xbe\0\x02"[..], &[0xff; HEAD_LEN_BYTES]].concat(), Why::Senseless),
            (&[&b"LUKS\xba\xbe\0\x01"[..], &[0xff; HEAD_LEN_BYTES]].concat(), Why::Senseless),
        ];
        for (content, why) in cases {
            let fixture = fixture::encrypted();
            let version = if content.starts_with(b"LUKS\xba\xbe\0\x01") { 1 } else { 2 };
            let uuid = format!("CRYPT-LUKS{version}-0123-root\n");
            fixture.file("sys/devices/virtual/block/dm-1/dm/uuid", uuid);
            fixture.file("dev/dm-0", content);
            let layer = crypt_layer(&fixture);
            assert_eq!(layer.unknown, [Unknown { fact: Fact::Cipher, why }]);
            assert_eq!(encryption(&layer).cipher, None);
        }
        // No device file, and a key that is not stored on the drive.
        let fixture = fixture::encrypted();
        let layer = crypt_layer(&fixture);
        assert!(matches!(layer.unknown[..], [Unknown { why: Why::Unreadable { .. }, .. }]));
        fixture.file("sys/devices/virtual/block/dm-1/dm/uuid", "CRYPT-PLAIN-root\n");
        assert_eq!(crypt_layer(&fixture).unknown, [Unknown { fact: Fact::Cipher, why: Why::NotReported }]);
    }

    #[test]
    fn headers_written_by_cryptsetup_are_parsed() {
        let dir = tempfile::tempdir().unwrap();
        let (image, key) = (dir.path().join("image"), dir.path().join("key"));
        std::fs::write(&key, "secret").unwrap();
        for (version, cipher, sector_bytes) in
            [("luks1", "aes-cbc-essiv:sha256", 512), ("luks2", "aes-xts-plain64", 4_096)]
        {
            std::fs::File::create(&image).and_then(|file| file.set_len(32 << 20)).unwrap();
            let mut command = Command::new("cryptsetup");
            command.args(["luksFormat", "-q", "--type", version, "--cipher", cipher, "--pbkdf", "pbkdf2"]);
            command.args(["--pbkdf-force-iterations", "1000"]);
            if version == "luks2" {
                command.args(["--sector-size", "4096"]);
            }
            if let Err(reason) = cardiograph_testing::run(command.arg(&image).arg(&key)) {
                return cardiograph_testing::skip("the header of an encryption", &reason);
            }
            let dump = Command::new("cryptsetup").arg("luksDump").arg(&image).output().unwrap();
            let dump = String::from_utf8(dump.stdout).unwrap();
            let fixture = fixture::encrypted();
            let uuid = format!("CRYPT-{}-0123-root\n", version.to_uppercase());
            fixture.file("sys/devices/virtual/block/dm-1/dm/uuid", uuid);
            fixture.file("dev/dm-0", std::fs::read(&image).unwrap());
            let layer = crypt_layer(&fixture);
            let encryption = encryption(&layer);
            assert_eq!((encryption.cipher.as_deref(), &layer.unknown[..]), (Some(cipher), &[][..]));
            assert_eq!(encryption.sector_bytes, Some(sector_bytes));
            // The first version counts sectors, the second bytes.
            let offset_bytes = encryption.data_offset_bytes.unwrap();
            let line = match version {
                "luks1" => format!("Payload offset:\t{}", offset_bytes / SECTOR_LEN_BYTES),
                _ => format!("offset: {offset_bytes} [bytes]"),
            };
            assert!(dump.contains(&line), "{line:?} in {dump}");
            // A single flipped bit.
            if version == "luks2" {
                let mut damaged = std::fs::read(&image).unwrap();
                damaged[HEAD_LEN_BYTES + 20] ^= 1;
                fixture.file("dev/dm-0", damaged);
                assert_eq!(
                    crypt_layer(&fixture).unknown,
                    [Unknown { fact: Fact::Cipher, why: Why::Senseless }]
                );
            }
        }
    }

    proptest! {
        #[test]
        fn random_headers_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..6_000)) {
            let headed = [MAGIC, &bytes[..]].concat();
            for content in [bytes, headed] {
                if let Some(len_bytes) = luks2_len_bytes(&content) {
                    prop_assert!(len_bytes as u64 <= LUKS2_HEADER_LEN_BYTES_MAX);
                }
                let cipher = parse_luks1(&content).and_then(|header| header.cipher);
                prop_assert!(cipher.is_none_or(|cipher| !cipher.contains(char::is_control)));
                prop_assert_eq!(parse_luks2(content), None);
            }
        }
    }
}

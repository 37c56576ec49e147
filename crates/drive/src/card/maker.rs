//! Brands by manufacturer id.
//!
//! SD-3C and JEDEC assign the ids but publish no list; the ones below were collected by users from their
//! cards. A brand buys from several manufacturers, and a manufacturer sells to many brands: an id shows where
//! a card may come from, never that it is genuine. Sources: the kernel's tables of quirks (drivers/mmc/core),
//! mmc-utils, sbc-bench, Pi Benchmarks.

/// The bus that an id belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bus {
    Sd,
    Emmc,
}

/// Information about an id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Maker {
    bus: Bus,
    id: u8,
    /// The application id of this row; `None` applies to all without a separate row.
    application_id: Option<u16>,
    /// Brands, the most frequent first.
    pub brands: &'static [&'static str],
    /// Whether the lists disagree.
    pub is_disputed: bool,
}

const fn sd(id: u8, brands: &'static [&'static str]) -> Maker {
    Maker { bus: Bus::Sd, id, application_id: None, brands, is_disputed: false }
}

const fn emmc(id: u8, brands: &'static [&'static str]) -> Maker {
    Maker { bus: Bus::Emmc, ..sd(id, brands) }
}

const fn disputed(maker: Maker) -> Maker {
    Maker { is_disputed: true, ..maker }
}

const MAKERS: &[Maker] = &[
    sd(0x01, &["Panasonic"]),
    sd(0x02, &["Toshiba", "Kioxia", "Kingston", "Viking"]),
    sd(0x03, &["SanDisk", "Western Digital"]),
    sd(0x08, &["Silicon Power"]),
    sd(0x09, &["ATP"]),
    disputed(sd(0x12, &["Gigastone"])),
    sd(0x18, &["Infineon"]),
    sd(0x1b, &["Samsung"]),
    sd(0x1c, &["Transcend"]),
    sd(0x1d, &["ADATA", "Corsair"]),
    sd(0x1e, &["Transcend"]),
    sd(0x1f, &["Kingston"]),
    sd(
        0x27,
        &[
            "Phison", "Delkin", "Intenso", "Integral", "Lexar", "Patriot", "PNY", "Polaroid", "Sony",
            "Verbatim", "Apacer",
        ],
    ),
    sd(0x28, &["Lexar", "PNY", "ProGrade"]),
    sd(0x30, &["SanDisk"]),
    sd(0x31, &["Silicon Power"]),
    sd(0x33, &["STMicroelectronics"]),
    sd(0x41, &["Kingston"]),
    disputed(sd(0x45, &["Team Group", "SanDisk", "Toshiba"])),
    sd(0x5d, &["Swissbit"]),
    disputed(sd(0x6f, &["STMicroelectronics"])),
    sd(0x73, &["Hama", "Fugi", "V-Gen"]),
    sd(0x74, &["Transcend"]),
    sd(0x76, &["Patriot"]),
    sd(0x82, &["Sony", "Gobe"]),
    sd(0x84, &["Strontium"]),
    sd(0x92, &["Sony"]),
    sd(0x9c, &["Sony"]),
    sd(0x9e, &["Lexar"]),
    disputed(sd(0x9f, &["Kingston", "Texas Instruments"])),
    sd(0xad, &["Longsys", "Raspberry Pi", "Amazon Basics", "Lexar"]),
    Maker { application_id: Some(0x5744), ..sd(0x03, &["Western Digital"]) },
    Maker { application_id: Some(0x5344), ..sd(0x03, &["SanDisk"]) },
    emmc(0x11, &["Toshiba", "Kioxia"]),
    emmc(0x13, &["Micron"]),
    emmc(0x15, &["Samsung"]),
    emmc(0x2c, &["Kingston"]),
    emmc(0x37, &["KingMax"]),
    emmc(0x44, &["ATP"]),
    emmc(0x45, &["SanDisk"]),
    emmc(0x70, &["Kingston"]),
    emmc(0x88, &["Foresee"]),
    emmc(0x90, &["SK hynix"]),
    emmc(0x9b, &["YMTC"]),
    emmc(0xce, &["Samsung"]),
    emmc(0xd6, &["Foresee"]),
    emmc(0xea, &["SiliconGo"]),
    emmc(0xfe, &["Micron", "Numonyx"]),
];

/// Information about an id; if several rows match, the one for this application id.
pub(super) fn find(bus: Bus, id: u8, application_id: u16) -> Option<&'static Maker> {
    let rows = || MAKERS.iter().filter(|row| row.bus == bus && row.id == id);
    let own = rows().find(|row| row.application_id == Some(application_id));
    own.or_else(|| rows().find(|row| row.application_id.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_belongs_to_its_bus() {
        let brands = |bus, id, application_id| find(bus, id, application_id).map(|maker| maker.brands);
        assert_eq!(brands(Bus::Sd, 0x1b, 0x534d), Some(&["Samsung"][..]));
        assert_eq!(brands(Bus::Emmc, 0x1b, 0), None);
        assert_eq!(brands(Bus::Emmc, 0x15, 0), Some(&["Samsung"][..]));
        assert_eq!(brands(Bus::Sd, 0x03, 0x5744), Some(&["Western Digital"][..]));
        assert_eq!(brands(Bus::Sd, 0x03, 0x1234), Some(&["SanDisk", "Western Digital"][..]));
        assert!(find(Bus::Sd, 0x12, 0x3456).unwrap().is_disputed);
    }

    #[test]
    fn rows_are_unique_and_not_empty() {
        for (index, row) in MAKERS.iter().enumerate() {
            assert!(!row.brands.is_empty());
            let twin = MAKERS[..index].iter().find(|other| {
                (other.bus, other.id, other.application_id) == (row.bus, row.id, row.application_id)
            });
            assert!(twin.is_none(), "{row:?}");
        }
    }
}

//! Zones.

use super::ask::refuses;
use crate::common::Bench;

#[test]
fn fio_option_zonemode() {
    let bench = Bench::new();
    let line = "--rw=randread --bs=4k --size=400k";
    assert_eq!(bench.ios(&format!("{line} --zonemode=none")), bench.ios(line));
    refuses(&format!("{line} --zonemode=strided"), &["zonemode=strided", "not there yet"]);
    refuses(&format!("{line} --zonemode=zbd"), &["zonemode=zbd", "zoned block devices"]);
    refuses(&format!("{line} --zonemode=ring"), &["zonemode=ring"]);
}

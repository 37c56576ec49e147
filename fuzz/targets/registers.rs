//! Lines as the registers of a card.
#![no_main]

libfuzzer_sys::fuzz_target!(|lines: &[u8]| cardiograph_fuzz::card_registers(lines));

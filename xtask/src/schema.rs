//! `cargo xtask schema`: writes the JSON Schema of a Report. A test of the formats crate compares it with the types.

use std::process::ExitCode;

use crate::workspace;

/// Writes `docs/report.schema.json`.
pub fn run() -> Result<ExitCode, String> {
    let path = workspace::root().join("docs/report.schema.json");
    std::fs::write(&path, cardiograph_formats::schema::report_schema_text())
        .map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(ExitCode::SUCCESS)
}

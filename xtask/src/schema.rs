//! `cargo xtask schema`: writes the JSON Schemas of a Report and a passport. A test of the formats crate compares them
//! with the types.

use std::process::ExitCode;

use crate::workspace;

/// Writes the schemas into `docs`.
pub fn run() -> Result<ExitCode, String> {
    for file in cardiograph_formats::schema::schemas() {
        let path = workspace::root().join("docs").join(file.name);
        std::fs::write(&path, file.text()).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

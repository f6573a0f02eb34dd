//! Archives to look into, also such as no honest program writes.

use std::io::{Cursor, Write as _};

/// A zip archive with these files, under exactly these names.
pub(crate) fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, ::zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A tar archive with these files, under exactly these names.
pub(crate) fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = ::tar::Header::new_gnu();
        // The builder refuses names that lead elsewhere, so they are put in by hand.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, bytes.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

/// The same, compressed.
pub(crate) fn tar_gz(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    packed(&tar(files))
}

/// Bytes, compressed.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

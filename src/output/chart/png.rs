//! A drawing as PNG: `resvg` with a font that is part of the program, so that bytes depend neither on the machine's fonts
//! nor on its clock.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use thiserror::Error;

/// Letters of the Latin, Greek, Cyrillic and Hebrew scripts; see `font/OFL.txt`. Others are left out of PNGs.
const FONT: &[u8] = include_bytes!("font/arimo.ttf");

/// Pixels of a PNG for each of the SVG.
const SCALE: f32 = 2.0;

/// The chunk that says what a PNG was made from.
const ORIGIN: &[u8; 4] = b"tEXt";
const KEYWORD: &[u8] = b"Source digest\0";

/// Counts up when the same SVG is to come out as another PNG.
const VERSION: &str = "1";

/// Why there is no PNG.
#[derive(Debug, Error)]
pub enum PngError {
    /// The SVG cannot be read.
    #[error("the figure cannot be read back: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture is too large.
    #[error("the figure is too large for a PNG")]
    Size,
    /// The picture cannot be written.
    #[error("the figure cannot be written as PNG: {0}")]
    Encoding(String),
}

/// The PNG of an SVG, twice as large, on white. It carries the digest of what it was made from.
///
/// # Errors
/// An SVG that is none, or too large.
pub fn png(svg: &str, digest: &str) -> Result<Vec<u8>, PngError> {
    let options = Options {
        font_family: "Arimo".to_owned(),
        fontdb: fonts(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree
        .size()
        .to_int_size()
        .scale_by(SCALE)
        .ok_or(PngError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PngError::Size)?;
    pixels.fill(Color::WHITE);
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixels.as_mut(),
    );
    let bytes = encoded(&pixels).map_err(|error| PngError::Encoding(error.to_string()))?;
    Ok(signed(bytes, digest))
}

/// The pixels as PNG, without transparency, which a white ground leaves none of. The encoder is the one whose bytes depend
/// on nothing but its input.
fn encoded(pixels: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    let colours = pixels.pixels().iter();
    let data: Vec<u8> = colours
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect();
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

/// Whether a PNG was made from the SVG with this digest, whole.
pub fn is_of(png: &[u8], digest: &str) -> bool {
    let end = [chunk(digest), END.to_vec()].concat();
    png.ends_with(&end)
}

/// The last chunk of every PNG.
const END: [u8; 12] = [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82];

/// Says in the PNG what it was made from, in front of its last chunk.
fn signed(mut png: Vec<u8>, digest: &str) -> Vec<u8> {
    if png.ends_with(&END) {
        png.truncate(png.len() - END.len());
        png.extend(chunk(digest));
        png.extend(END);
    }
    png
}

fn chunk(digest: &str) -> Vec<u8> {
    let data = [KEYWORD, VERSION.as_bytes(), b" ", digest.as_bytes()].concat();
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let checked = [&ORIGIN[..], &data].concat();
    [
        &length.to_be_bytes()[..],
        &checked,
        &crc(&checked).to_be_bytes(),
    ]
    .concat()
}

/// The checksum of PNG chunks (ISO 3309), bit by bit: it is made over some hundred bytes.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = 0_u32.wrapping_sub(crc & 1);
            crc = (crc >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    !crc
}

/// The one font there is.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let made = FONTS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        fonts.set_sans_serif_family("Arimo");
        Arc::new(fonts)
    });
    Arc::clone(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_png() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn a_png_says_what_it_was_made_from() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\"/>";
        let bytes = png(svg, "abc").unwrap();
        assert!(is_of(&bytes, "abc") && !is_of(&bytes, "abd"));
        assert!(!is_of(&bytes[..bytes.len() - 1], "abc"));
        assert_eq!(bytes, png(svg, "abc").unwrap());
    }
}

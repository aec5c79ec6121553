import 'server-only'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const FONTS = 'node_modules/geist/dist/fonts/geist-sans'

/** The page's own font, from files: a machine without any draws the same letters. */
const font = {
  loadSystemFonts: false,
  defaultFontFamily: 'Geist',
  fontFiles: ['Regular', 'Medium', 'SemiBold'].map((weight) =>
    join(process.cwd(), FONTS, `Geist-${weight}.ttf`),
  ),
}

/** An opaque SVG in Geist as PNG, of its own size. Drawing and packing are done by threads beside this one. */
export async function rasterise(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const { pixels, width, height } = await renderAsync(svg, { font })
  return await toPng(pixels, width, height)
}

const deflateAsync = promisify(deflate)
const RGB = 2
const BITS = 8

/**
 * PNG of opaque RGBA pixels. The rasteriser's own would pack them on this thread, which takes 50 ms; flat colours need no
 * filter.
 */
export async function toPng(rgba: Uint8Array, width: number, height: number) {
  const stride = 1 + 3 * width
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y += 1) {
    let [to, from] = [y * stride + 1, 4 * width * y]
    for (let x = 0; x < width; x += 1) {
      rows[to] = rgba[from] ?? 0
      rows[to + 1] = rgba[from + 1] ?? 0
      rows[to + 2] = rgba[from + 2] ?? 0
      to += 3
      from += 4
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS, RGB], 8)
  const chunks = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('IDAT', await deflateAsync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat(chunks))
}

function toChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

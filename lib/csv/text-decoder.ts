import { CsvError } from './csv-error.ts'

type TextDecoding = {
  /** Stops at the first invalid byte. */
  push(bytes: Uint8Array): string
  end(): string
  error(): CsvError | null
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const HEAD_BYTES = 4

export function createTextDecoding(lineAt: (text: string) => number): TextDecoding {
  let encoding: Encoding | null = null
  let error: CsvError | null = null
  let held: Uint8Array = new Uint8Array()

  const decode = (bytes: Uint8Array, isLast: boolean): string => {
    if (encoding === null) {
      if (bytes.length < HEAD_BYTES && !isLast) {
        held = bytes
        return ''
      }
      const container = findContainer(bytes)
      if (container) {
        error = new CsvError('not_csv', container)
        return ''
      }
      encoding = selectEncoding(bytes)
      const text = decodeWhole(bytes, encoding, isLast)
      return text.startsWith(BOM) ? text.slice(1) : text
    }
    return decodeWhole(bytes, encoding, isLast)
  }
  const decodeWhole = (bytes: Uint8Array, from: Encoding, isLast: boolean): string => {
    const length = isLast ? bytes.length : countWhole(bytes, bytes.length, from)
    held = bytes.slice(length)
    try {
      return toDecoder(from).decode(bytes.subarray(0, length))
    } catch {
      const valid = countWhole(bytes, countValidBytes(bytes, from), from)
      const text = toDecoder(from).decode(bytes.subarray(0, valid))
      const isCut = isLast && valid === countWhole(bytes, bytes.length, from)
      error = isCut ? toCutError(lineAt(text)) : toEncodingError(lineAt(text), bytes[valid] ?? 0)
      return text
    }
  }
  return {
    push: (bytes) => (error ? '' : decode(join(held, bytes), false)),
    end: () => (error ? '' : decode(held, true)),
    error: () => error,
  }
}

const BOM = '\ufeff'

const toDecoder = (encoding: Encoding) =>
  new TextDecoder(encoding, { fatal: true, ignoreBOM: true })

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

const findContainer = (bytes: Uint8Array): string | null =>
  CONTAINERS.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte))?.message ?? null

const CONTAINERS = [
  { magic: [0x50, 0x4b, 0x03, 0x04], message: 'is an Excel workbook or a ZIP archive, not CSV' },
  { magic: [0xd0, 0xcf, 0x11, 0xe0], message: 'is an Excel workbook, not CSV' },
  { magic: [0x1f, 0x8b], message: 'is compressed with gzip, not CSV' },
  { magic: [0x25, 0x50, 0x44, 0x46], message: 'is a PDF, not CSV' },
  { magic: [0xff, 0xfe, 0x00, 0x00], message: 'is UTF-32: save it as UTF-8' },
  { magic: [0x00, 0x00, 0xfe, 0xff], message: 'is UTF-32: save it as UTF-8' },
]

/** Without a BOM, UTF-16 shows as a zero in every other byte. */
function selectEncoding([first = 1, second = 1, third = 1, fourth = 1]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : 'utf-8'
}

function countValidBytes(bytes: Uint8Array, encoding: Encoding): number {
  let [valid, invalid] = [0, bytes.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isValid(bytes.subarray(0, middle), encoding)) valid = middle
    else invalid = middle
  }
  return valid
}

function countWhole(bytes: Uint8Array, length: number, encoding: Encoding): number {
  if (encoding !== 'utf-8') {
    const even = length - (length % 2)
    const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0
    return even > 0 && high >= 0xd8 && high <= 0xdb ? even - 2 : even
  }
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) return length
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return size > back ? length - back : length
    }
  }
  return length
}

function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function toEncodingError(line: number, byte: number): CsvError {
  const message = `is not text in UTF-8 or UTF-16: line ${line} has the byte 0x${toHex(byte)}`
  return new CsvError('encoding', message, line)
}

const toCutError = (line: number) =>
  new CsvError('cut_character', `ends within a character on line ${line}`, line)

const toHex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0')

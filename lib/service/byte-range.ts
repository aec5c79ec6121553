/** A run of bytes, both ends included. */
export type ByteRange = { first: number; last: number }

const ONE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * Reads a Range header against a size. `whole` where it is to be ignored: none, malformed, several ranges, another
 * unit; `unsatisfiable` where it begins behind the end (RFC 9110, 14).
 */
export function parseByteRange(
  header: string | null,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = header === null ? null : ONE_RANGE.exec(header)
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Number(to)
  if (to !== '' && last < first) return 'whole'
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) }
}

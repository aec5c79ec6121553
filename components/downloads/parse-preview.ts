import { createCsvReader } from '#lib/csv/csv-reader.ts'

/** The first records of a CSV: its header, and the rows after it. */
export type Preview = { header: readonly string[]; rows: string[][] }

/** Reads the beginning of a CSV. Unless `isWhole`, the last record is left out, since it may be cut. */
export function parsePreview(bytes: ArrayBuffer, isWhole: boolean): Preview {
  const reader = createCsvReader()
  const first = reader.push(new Uint8Array(bytes))
  const records = [...first, ...reader.end().records]
  const isCut = !isWhole && reader.error() === null
  const rows = (isCut ? records.slice(0, -1) : records).map(({ cells }) => cells)
  return { header: reader.header() ?? [], rows }
}

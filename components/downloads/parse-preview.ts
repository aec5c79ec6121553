import { createCsvReader } from '#lib/csv/csv-reader.ts'

export type Preview = { header: readonly string[]; rows: string[][] }

/** Unless `isWhole`, drops the last record, which may be cut off. */
export function parsePreview(bytes: ArrayBuffer, isWhole: boolean): Preview {
  const reader = createCsvReader()
  const first = reader.push(new Uint8Array(bytes))
  const records = [...first, ...reader.end().records]
  const isCut = !isWhole && reader.error() === null
  const rows = (isCut ? records.slice(0, -1) : records).map(({ cells }) => cells)
  return { header: reader.header() ?? [], rows }
}

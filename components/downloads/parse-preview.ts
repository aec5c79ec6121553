import Papa from 'papaparse'

/** The first records of a CSV: its header, and so many behind it. */
export type Preview = { header: string[]; rows: string[][] }

/**
 * The records of a CSV's first bytes, whatever its columns are. `isWhole` where these are all its bytes: otherwise the
 * last record is left out, since it may be cut.
 */
export function parsePreview(bytes: ArrayBuffer, isWhole: boolean): Preview {
  const text = new TextDecoder().decode(bytes)
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true })
  const [header = [], ...records] = data
  return { header, rows: isWhole ? records : records.slice(0, -1) }
}

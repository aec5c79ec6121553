import type { Meta } from '#lib/contract/answers/shared.ts'

const NEWLINE = '\r\n'
const BOM = '\ufeff'

/** What a whole file says of itself: `gaps` are ids that are missing and that nothing explains. */
export type ExportMeta = Meta & { rows: number; gaps: number }

type Lines = AsyncGenerator<string[], void, undefined>
type Texts = AsyncGenerator<string, void, undefined>

/** A header and a record a row, each with its line end. Fails at its end where there were not as many as declared. */
export async function* toCsvTexts(
  lines: Lines,
  { columns, bom, rows }: { columns: readonly string[]; bom: boolean; rows: number },
): Texts {
  yield `${bom ? BOM : ''}${columns.join(',')}${NEWLINE}`
  for await (const batch of counted(lines, rows)) yield batch.join(NEWLINE) + NEWLINE
}

/** One object a line. */
export async function* toNdjsonTexts(lines: Lines, rows: number): Texts {
  for await (const batch of counted(lines, rows)) yield `${batch.join('\n')}\n`
}

/**
 * One document in the envelope of all answers, one row a line. The number of rows stands before and after them, and
 * what follows the last one is written only once all of them were.
 */
export async function* toJsonTexts(lines: Lines, meta: ExportMeta): Texts {
  yield `{"success":true,"code":200,"meta":${JSON.stringify(meta)},"data":[`
  let before = '\n'
  for await (const batch of counted(lines, meta.rows)) {
    yield before + batch.join(',\n')
    before = ',\n'
  }
  yield `\n],"rows":${meta.rows}}\n`
}

async function* counted(lines: Lines, rows: number): Lines {
  let written = 0
  for await (const batch of lines) {
    written += batch.length
    yield batch
  }
  if (written !== rows) throw new Error(`${written} rows were written of ${rows} declared`)
}

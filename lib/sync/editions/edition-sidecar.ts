import { join } from 'node:path'
import * as z from 'zod/mini'
import { dump, edition } from '#lib/contract/answers/status.ts'
import { DUMP_KINDS, editionFileName, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'

export const HELD_BACK_FOLDER = 'aside'

const text = z.nullable(z.string())

const sidecar = z.object({
  ...z.omit(edition, { next_due_at: true }).shape,
  kind: z.enum(DUMP_KINDS),
  edition: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  columns: dump.shape.columns,
  first_rows: dump.shape.first_rows,
  etag: text,
  last_modified: text,
  unchanged: z.boolean(),
  newest_created_at: z.nullable(z.int()),
  ids: z.nullable(z.object({ lowest: z.int(), highest: z.int() })),
  confirms: z.boolean(),
  reason: text,
})

export type DescribedEdition = Omit<KeptEdition, 'path' | 'fileName' | 'next_due_at'>

export function parseSidecar(dir: string, written: string): KeptEdition | null {
  const parsed = sidecar.safeParse(toJson(written))
  if (!parsed.success) return null
  const { first_rows, etag, last_modified, newest_created_at, ...rest } = parsed.data
  return toKept(dir, {
    ...rest,
    firstRows: first_rows,
    validators: { etag, lastModified: last_modified },
    newestCreatedAt: newest_created_at,
  })
}

export function toSidecar(described: DescribedEdition): string {
  const { firstRows, validators, newestCreatedAt } = described
  const written: z.output<typeof sidecar> = {
    ...described,
    first_rows: firstRows,
    etag: validators.etag,
    last_modified: validators.lastModified,
    newest_created_at: newestCreatedAt,
  }
  return JSON.stringify(sidecar.parse(written))
}

export function toKept(dir: string, described: DescribedEdition): KeptEdition {
  const fileName = editionFileName(described.kind, described.edition)
  const folder = described.reason === null ? dir : join(dir, HELD_BACK_FOLDER)
  const next_due_at = nextEditionAt(described.fetched_at)
  return { ...described, next_due_at, fileName, path: join(folder, fileName) }
}

export const toSidecarName = (file: string) => file.replace(/csv$/, 'json')

function toJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}

'use client'

import { type LineSource, OpenIn, type Server, toPlainUrl } from '#components/export/open-in.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { dumpFileName, dumpPath } from './dump-download.tsx'

export const DumpLines = ({ dump }: { dump: Dump }) => (
  <OpenIn
    className="pt-1"
    scope="export"
    toSource={(server) => toDumpSource(dump, server)}
    what={`the ${dump.kind} dump`}
  />
)

/** Other columns may hold anything: each tool finds their types. */
const TEXTS: ReadonlySet<string> = new Set(['symbol', 'prediction', 'source', 'room_id'])

export function toDumpSource(dump: Dump, { origin, needsToken }: Server): LineSource {
  const address = toPlainUrl(origin, dumpPath(dump.kind))
  return {
    file: address,
    // curl rejects -C together with -J.
    curlOptions: `-fC - -o ${dumpFileName(dump)}`,
    csv: address,
    parquet: null,
    columns: dump.columns.flatMap(({ name }) =>
      TEXTS.has(name) ? [{ name, kind: 'text' as const }] : [],
    ),
    needsToken,
  }
}

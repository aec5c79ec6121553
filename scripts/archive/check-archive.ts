import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { findAside } from '#lib/archive/archive-files.ts'
import { openEngine } from '#lib/archive/duckdb-engine.ts'
import { inspectFile } from '#lib/archive/inspect-file.ts'
import { verifyArchive } from '#lib/archive/verify.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { LIMITS } from './by-hand.ts'
import { type Report, toCount } from './check.ts'

/** Reads the archive's file whole, and holds what it says of itself against what it holds. */
export async function checkArchive(path: string, report: Report): Promise<void> {
  const name = basename(path)
  const aside = await findAside(path)
  if (aside) report.figure(`${aside.file}: set aside as damaged; delete it when nothing is missed`)
  const found = await inspectFile(path, LIMITS)
  if (found.is === 'absent') return report.figure(`${name}: not made yet`)
  if (found.is === 'damaged') {
    const what = found.logOnly ? `${name}.wal` : name
    return report.problem(`${what} is damaged: the next start sets it aside and fills it again`)
  }
  const bytes = toCount((await stat(path)).size)
  if (found.is === 'older') {
    return report.figure(
      `${name}: ${bytes} bytes, of version ${found.version}; the next start brings it over`,
    )
  }
  report.figure(`${name}: ${bytes} bytes, every block as it was written`)
  await checkRows(path, report)
}

async function checkRows(path: string, report: Report): Promise<void> {
  const engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
  try {
    const { problems, figures } = await verifyArchive(engine.writer.db)
    for (const problem of problems) report.problem(problem)
    if (!figures) return
    const { ratings, symbols, members, vanished, quarantined, generation, completeTo } = figures
    const until = completeTo === null ? 'not complete yet' : `${toDateText(completeTo)} UTC`
    report.figure(
      `${toCount(ratings)} ratings (${toCount(vanished)} no longer listed), ${toCount(quarantined)} rows in quarantine`,
    )
    report.figure(`${toCount(symbols)} symbols, ${toCount(members)} members`)
    report.figure(`generation ${toCount(generation)}, complete to ${until}`)
  } finally {
    await engine.close()
  }
}

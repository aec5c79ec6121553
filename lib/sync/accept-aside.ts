import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { openEditionFolder } from './edition-folder.ts'
import { createShelfContent } from './shelf-content.ts'
import type { KeptEdition } from './sync.ts'

/**
 * Makes the edition that waits aside the current one, in a folder that no process has open; null where none waits. What
 * it lost is then believed when it is imported. Throws what the file system says.
 */
export async function acceptAside(dir: string, kind: DumpKind): Promise<KeptEdition | null> {
  const { folder, kept } = await openEditionFolder(dir)
  const ofKind = kept.filter((edition) => edition.kind === kind)
  const keep = ofKind.length
  return await createShelfContent({ folder, kept: ofKind, keep, log: () => undefined }).accept()
}

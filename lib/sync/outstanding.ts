import { editionName } from '#lib/contract/weekly-clock.ts'
import type { EditionStore, SyncArchive } from './sync.ts'

/**
 * Whether the posts dump that is kept is to be brought in: it is neither the one that the archive was made equal to nor
 * one before it. The one before comes to be current again where an edition is lost: it has nothing to say to the archive.
 */
export function isOutstanding(deps: {
  editions: EditionStore
  archive: SyncArchive
  /** Seconds since 1970. */
  now: () => number
}): boolean {
  const edition = deps.editions.current('posts')
  const imported = deps.editions.imported()
  if (!edition) return false
  // A generation below the noted one is another archive than the one that was made equal.
  if (!imported || imported.generation > deps.archive.state().generation) return true
  if (imported.sha256 === edition.sha256) return false
  if (imported.edition === null || imported.edition <= edition.edition) return true
  // One of a week to come was brought in while the clock was ahead: it is not newer than what came since.
  return imported.edition > editionName(deps.now())
}

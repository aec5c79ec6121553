import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { importCsv, openCsvPosts } from './csv-posts.ts'
import { makeDemo, openDemo } from './demo-posts.ts'
import { loadJsonFile, replaceFile } from './json-file.ts'
import { type Database, openDatabase, type Posts } from './posts.ts'
import {
  type KeptSource,
  keptSource,
  requireSameSource,
  type Source,
  toKeptSource,
} from './source.ts'

export type FolderDeps = {
  dir: string
  source: Source
  now: () => number
  log: (line: string) => void
}

/**
 * Opens the folder of the service's posts, or makes it: then all of it is written before `source.json`, so a folder
 * that was cut off in the making is made again. Throws SourceMismatch where it holds another community.
 */
export async function openFolder(deps: FolderDeps): Promise<Posts> {
  const { dir, source } = deps
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const kept = await loadJsonFile(join(dir, 'source.json'), keptSource)
  if (kept) await requireSameSource(kept, source)
  else await removeRemains(dir)
  const database = await openDatabase(join(dir, 'posts.duckdb'))
  try {
    return await openPosts(database, kept ?? (await makeFolder(database, deps)), deps)
  } catch (error) {
    database.close()
    throw error
  }
}

const lookupsCopy = (dir: string) => join(dir, 'lookups.csv')

async function removeRemains(dir: string): Promise<void> {
  for (const name of ['posts.duckdb', 'posts.duckdb.wal', 'lookups.csv', 'editions']) {
    await rm(join(/* turbopackIgnore: true */ dir, name), { force: true, recursive: true })
  }
}

async function makeFolder(database: Database, deps: FolderDeps): Promise<KeptSource> {
  const { dir, source, log } = deps
  const kept = await toKeptSource(source, deps.now())
  if (kept.kind === 'demo') {
    await makeDemo(database, { seed: kept.seed, ratings: kept.ratings, end: kept.made_at })
    log(`demo community made: ${kept.ratings} ratings`)
  } else {
    const { rows, skipped, duplicates } = await importCsv(database, kept.posts.path, log)
    log(`posts CSV imported: ${rows} ratings, ${skipped} lines skipped, ${duplicates} double ids`)
    if (kept.lookups) await copyFile(kept.lookups.path, lookupsCopy(dir))
  }
  await replaceFile(join(dir, 'source.json'), `${JSON.stringify(kept, null, 2)}\n`)
  return kept
}

async function openPosts(database: Database, kept: KeptSource, deps: FolderDeps): Promise<Posts> {
  if (kept.kind === 'csv') {
    return await openCsvPosts(database, kept.lookups ? lookupsCopy(deps.dir) : null)
  }
  const tailSeconds = deps.source.kind === 'demo' ? deps.source.tailSeconds : 0
  const history = { seed: kept.seed, ratings: kept.ratings, end: kept.made_at }
  return await openDemo(database, { history, tailSeconds, log: deps.log })
}

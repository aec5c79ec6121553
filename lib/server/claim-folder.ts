import 'server-only'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FILES } from './data-files.ts'
import type { Env } from './env.ts'

/** The folder holds the ratings of another service: to mix the two would be a lie in every figure. */
export class ForeignFolder extends Error {
  constructor(kept: string, asked: string) {
    super(`DATA_DIR keeps the ratings of ${kept}; for ${asked} choose another DATA_DIR`)
    this.name = 'ForeignFolder'
  }
}

/** Marks a data folder with the service whose ratings it keeps. Throws ForeignFolder where that is another. */
export function claimFolder({ dataDir, baseUrl }: Pick<Env, 'dataDir' | 'baseUrl'>): void {
  const file = join(dataDir, DATA_FILES.owner)
  const asked = baseUrl ? `${baseUrl.origin}${baseUrl.pathname}` : 'the embedded service'
  if (!existsSync(file)) {
    writeFileSync(file, `${asked}\n`, { mode: 0o600 })
    return
  }
  const kept = readFileSync(file, 'utf8').trim()
  if (kept !== asked) throw new ForeignFolder(kept, asked)
}

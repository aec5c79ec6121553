import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = new URL('..', import.meta.url).pathname
/** Inside node_modules, so that packages resolve. */
const FOLDER = join(ROOT, 'node_modules/.cache/bellwether')

export type Program = { file: string; remove(): Promise<void> }

/** Starts three times as fast as with tsx. `source` is relative to the repository. */
export async function bundleProgram(source: string): Promise<Program> {
  await mkdir(FOLDER, { recursive: true })
  const folder = await mkdtemp(join(FOLDER, 'program-'))
  const file = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(ROOT, source)],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

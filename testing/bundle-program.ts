import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = new URL('..', import.meta.url).pathname
/** Among the packages: a program elsewhere would not find them. */
const FOLDER = join(ROOT, 'node_modules/.cache/bellwether')

export type Program = { file: string; remove(): Promise<void> }

/**
 * One of our TypeScript programs as one file of JavaScript that Node runs, for whoever starts it more than once: tsx looks
 * at every file of every package too, so a process takes three times as long to begin. `source` is a path in the
 * repository.
 */
export async function bundleProgram(source: string): Promise<Program> {
  await mkdir(FOLDER, { recursive: true })
  const folder = await mkdtemp(join(FOLDER, 'program-'))
  const file = join(folder, 'program.mjs')
  await build({
    ...{ entryPoints: [join(ROOT, source)], outfile: file, bundle: true, packages: 'external' },
    ...{ platform: 'node', format: 'esm', logLevel: 'silent' },
  })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

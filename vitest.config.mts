import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Files whose tests change what the whole process shares and cannot put back: `globalThis`, modules loaded anew. */
const WITH_A_PROCESS_EACH = [
  'lib/server/environment/env.test.ts',
  'lib/server/routes/send-edition.test.ts',
]

/** Slow tests, such as simulated years and soaks. Only `npm test -- --all` runs them. */
const LONG = '**/*.long.test.ts'

/** Where tests put their files: in memory where there is room, since nobody reads there what a disk has kept. */
function selectFolder(): string {
  const inMemory = '/dev/shm'
  if (!existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize > 1_000_000_000 ? inMemory : tmpdir()
}

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['testing/store/run-server.ts'],
    setupFiles: ['testing/draws.ts'],
    // For what hangs, not for what is slow: a machine that is shared may be twenty times slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // By itself it would leave one core free, which on a machine of two is half of it.
    maxWorkers: '100%',
    // What the build writes in.
    env: {
      BASE_PATH: '',
      TMPDIR: selectFolder(),
    },
    alias: {
      'server-only': new URL('./testing/server-only.ts', import.meta.url).pathname,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['{app,components,lib,scripts,testing}/**/*.test.ts'],
          exclude: [...WITH_A_PROCESS_EACH, LONG],
          // Loading what a file imports takes longer than most files; files that share a process load it once.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG], isolate: false, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: WITH_A_PROCESS_EACH,
          // After the others: a process of its own in between would end the shared one.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

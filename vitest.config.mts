import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

/** These change global state that they cannot restore. */
const WITH_A_PROCESS_EACH = [
  'lib/server/environment/env.test.ts',
  'lib/server/routes/send-edition.test.ts',
]

/** Only `npm test -- --all` runs these. */
const LONG = '**/*.long.test.ts'

/** Uses memory if at least 1 GB is free, since no test depends on a disk. */
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
    // Only catches hangs: a shared machine may be twenty times slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // The default leaves one core free, half of a two-core machine.
    maxWorkers: '100%',
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
          // Importing takes longer than most tests; files in one process share modules.
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
          // Last: a process of its own in between would end the shared one.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

/** These change global state for good. */
const WITH_A_PROCESS_EACH = [
  'lib/server/environment/env.test.ts',
  'lib/server/routes/send-file.test.ts',
]

const LONG = '**/*.long.test.ts'

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
    // For hangs only: a shared machine may be twenty times slower.
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
          // Importing takes longer than most tests.
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
          // Last, because it would end the shared process.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

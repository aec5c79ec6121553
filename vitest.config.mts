import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['lib/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 30_000,
    alias: {
      'server-only': new URL('./scripts/server-only-in-tests.ts', import.meta.url).pathname,
    },
  },
})

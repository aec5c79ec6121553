import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const canGiveRoom = spawnSync('prlimit', ['--version']).status === 0

/** The lines of a process whose files may not grow beyond so many KB: EFBIG, where a full disk says ENOSPC. */
function fillUpTo(path: string, kilobytes: number): Record<string, unknown>[] {
  const script = new URL('fill-disk.test-support.ts', import.meta.url).pathname
  const limited = `trap '' XFSZ; ulimit -S -f ${kilobytes}; exec "$@"`
  const { stdout } = spawnSync(
    'bash',
    ['-c', limited, 'bash', process.execPath, '--import', 'tsx', script, path],
    { encoding: 'utf8' },
  )
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test.skipIf(!canGiveRoom)(
  'where the disk takes no more an import fails and says why, reads go on, and with room again it goes on without a restart',
  async () => {
    for (const kilobytes of [3000, 6000]) {
      const folder = await mkdtemp(join(tmpdir(), 'full-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const [full, again] = fillUpTo(join(folder, 'archive.db'), kilobytes)
      expect(full).toMatchObject({ failed: true, isBroken: false })
      expect(full?.failure).toMatch(/File too large|No space left|could not write/i)
      expect(full?.total).toBe(full?.held)
      expect(again).toEqual({ inserted: 5000, total: Number(full?.held) + 5000, aside: null })
      expect((await readdir(folder)).sort()).toEqual(['archive.db', 'archive.db.lock'])
    }
  },
  120_000,
)

import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BYTES = 1_000_000

/** A disk of its own, which only root may mount: elsewhere `isMounted` is false. */
export function openSmallDisk() {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-disk-'))
  const mount = (options: string) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir]).status === 0
  const isMounted = mount(`size=${BYTES}`)
  const ballast = join(dir, 'ballast')
  return {
    dir,
    isMounted,
    fill() {
      const file = openSync(ballast, 'w')
      try {
        while (statfsSync(dir).bavail > 0) writeSync(file, Buffer.alloc(statfsSync(dir).bsize))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    allowWrites: (isAllowed: boolean) => void mount(`remount,${isAllowed ? 'rw' : 'ro'}`),
    close() {
      if (isMounted) spawnSync('umount', [dir])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

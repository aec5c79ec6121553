import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'

const [path = ''] = process.argv.slice(2)
try {
  await openArchive({ path, now: () => 1_704_067_200 })
  process.stdout.write('held\n')
  setInterval(() => {}, 1000)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'no error'}\n`)
}

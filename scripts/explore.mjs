import './run.mjs'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { endWithNpm, fail, ROOT } from './run.mjs'
import { ensureInstall } from './setup.mjs'

/* `npm run explore -- [--minutes N] [--seed N] [PATTERN…]`. `--seed` runs one round. */

const SHRINK_MS = 60_000
const TEST_TIMEOUT_MS = 600_000

const { values, positionals } = readArguments()
const minutes = Number(values.minutes)
if (!(minutes > 0)) fail('--minutes takes a number above 0.')

endWithNpm()
await ensureInstall()
const files = listRandomTests(positionals)
if (files.length === 0) fail('No random test matches.')
const { createVitest } = await import('vitest/node')
delete process.env.NODE_ENV
process.env.EFFORT ??= '0.25'
process.env.SHRINK_MS = String(SHRINK_MS)

const endMs = performance.now() + minutes * 60_000
const found = new Set()
let rounds = 0
while (performance.now() < endMs) {
  const seed = values.seed ?? String(randomInt(2 ** 31))
  console.log(`Round ${rounds + 1}: ${files.length} files, seed ${seed}`)
  if (await explore(seed)) rounds += 1
  if (values.seed) break
}
console.log(`\n${rounds} whole rounds, ${found.size} failing tests`)
process.exit(found.size > 0 ? 1 : 0)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
    })
  } catch (error) {
    return fail(`${error.message}\nUsage: npm run explore -- [--minutes N] [--seed N] [PATTERN…]`)
  }
}

function listRandomTests(patterns) {
  return ['app', 'components', 'lib', 'scripts', 'testing']
    .flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(room, name),
      ),
    )
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => patterns.length === 0 || patterns.some((part) => path.includes(part)))
    .filter((path) => /fast-check|\/draws\.ts|against-counting/.test(readFileSync(path, 'utf8')))
}

async function explore(seed) {
  process.env.DRAW_SEED = seed
  let isOver = false
  const vitest = await createVitest('test', {
    watch: false,
    silent: true,
    testTimeout: TEST_TIMEOUT_MS,
    reporters: [
      {
        onTestCaseResult: (test) => report(test.module, test.fullName, test.result().errors, seed),
        onTestModuleEnd: (module) => report(module, 'the file itself', module.errors(), seed),
      },
    ],
  })
  const timer = setTimeout(() => {
    isOver = true
    void vitest.cancelCurrentRun('keyboard-input')
  }, endMs - performance.now())
  await vitest.start(files)
  clearTimeout(timer)
  await vitest.close()
  return !isOver
}

function report({ moduleId }, title, errors = [], seed) {
  const file = relative(ROOT, moduleId)
  const name = `${file} › ${title}`
  if (errors.length === 0 || found.has(name)) return
  found.add(name)
  console.log(`\n✗ ${name}\n  again: npm run explore -- --seed ${seed} ${file}`)
  for (const { message } of errors) console.log(message.replace(/^/gm, '    '))
}

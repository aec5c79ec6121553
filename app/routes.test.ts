import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url).pathname

const listFiles = (folder: string, pattern: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

it('every page refuses to render before it has checked access', () => {
  const pages = listFiles('app', /(?:^|\/)page\.tsx$/)
  expect(pages.length).toBeGreaterThan(30)
  const first = /export default async function \w+\([^)]*\)[^{]*\{\n {2}await requireAccess\(\)\n/
  expect(pages.filter((file) => !first.test(read(file)))).toEqual([])
})

/** Each of these checks the permission of the route. */
const CHECKED =
  /export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} =\s+(?:(?:api|access|linkPicture)Handlers|(?:toListing|createMcpHandlers)\(\w+\))$|export const GET = permitted\(|export default onSocket\(/m

it('every route handler checks the permission of its route', () => {
  const routes = [...listFiles('app', /(?:^|\/)route\.ts$/), ...listFiles('pages/api', /\.ts$/)]
  expect(routes.length).toBeGreaterThan(20)
  // A static file, made by the build.
  const unchecked = routes.filter((file) => !CHECKED.test(read(file)))
  expect(unchecked).toEqual(['app/manifest.webmanifest/route.ts'])
})

it('no text is written into a page as HTML, because the policy allows the scripts of a page', () => {
  const sources = ['app', 'components', 'lib'].flatMap((folder) => listFiles(folder, /\.tsx?$/))
  const raw = sources.filter(
    (file) => !file.endsWith('.test.ts') && read(file).includes('dangerouslySetInnerHTML'),
  )
  expect(raw).toEqual(['app/layout.tsx', 'components/charts/lazy-drawing.tsx'])
})

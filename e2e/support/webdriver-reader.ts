import { expect } from '@playwright/test'
import {
  type ExpectedText,
  holds,
  type Part,
  READER,
  type Reader,
  type Role,
  toWords,
  WITHIN_MS,
} from './reader.ts'
import { isListening } from './test.ts'
import type { WebDriverSession } from './webdriver.ts'

const EVERY_MS = 50

export async function openWebDriverReader(
  session: WebDriverSession,
  baseURL: string,
): Promise<Reader> {
  const run: Reader['run'] = (script, taken) =>
    session.run(`return (${script})(arguments[0])`, taken)
  const find = (part: Part) => session.find(`return (${findPart})(arguments[0])`, toSteps(part))

  /** Retries until it neither throws nor returns false. */
  async function until(what: string, isSo: () => Promise<unknown>): Promise<void> {
    const options = { timeout: WITHIN_MS, intervals: [EVERY_MS], message: what }
    await expect(async () => {
      if ((await isSo()) === false) throw new Error(`Not so yet: ${what}`)
    }).toPass(options)
  }

  async function withPart<Given>(part: Part, use: (element: string) => Promise<Given>) {
    const given: Given[] = []
    await until(toWords(part), async () => {
      const element = await find(part)
      if (!element) return false
      given.unshift(await use(element))
    })
    return given[0] as Given
  }

  const resize: Reader['resize'] = async (width, height) => {
    await session.resize(width, height)
    const inside = await run(() => [window.innerWidth, window.innerHeight], null)
    await session.resize(width, height + height - (inside[1] ?? height))
    await until(`a window ${width} px wide`, async () =>
      run((wanted) => window.innerWidth === wanted, width),
    )
  }
  await resize(READER.width, READER.height)
  const address = () => run(() => location.pathname + location.search + location.hash, null)
  const textOf: Reader['textOf'] = (part) => withPart(part, (element) => session.textOf(element))

  return {
    open: async (path) => {
      await session.open(new URL(path, baseURL).href)
      await until('a page that listens', () => run(isListening, null))
    },
    back: () => session.back(),
    resize,
    click: (part) => withPart(part, (element) => session.click(element)),
    fill: (part, text) =>
      withPart(part, async (element) => {
        await session.clear(element)
        await session.type(element, text)
      }),
    choose: (part, label) =>
      withPart(part, async (element) => {
        const script = `return [...arguments[0].options].find((one) => one.label === arguments[1])`
        const option = await session.find(script, element, label)
        if (!option) throw new Error(`No option ${label}`)
        await session.click(option)
      }),
    press: (key) => session.press(key.split('+')),
    sees: async (part, text) => {
      await withPart(part, async (element) => {
        if (text === undefined) return
        const seen = toPlain(await session.textOf(element))
        if (!holds(seen, text)) throw new Error(`No ${text} in: ${seen.slice(0, 300)}`)
      })
    },
    seesNone: (part) => until(`no ${toWords(part)}`, async () => !(await find(part))),
    seesFocusOn: (part) =>
      withPart(part, async (element) => {
        const focused = await session.find('return document.activeElement')
        if (focused !== element) throw new Error('The focus is elsewhere')
      }),
    seesAddress: (wanted) =>
      until(`the address ${wanted}`, async () => holds(await address(), wanted)),
    textOf,
    targetOf: (part) => withPart(part, (element) => session.attribute(element, 'href')),
    run,
    picture: () => session.picture(),
  }
}

const toPlain = (text: string) => text.replace(/\s+/g, ' ')

type Step = {
  selector: string
  name: string | null
  pattern: [string, string] | null
  place: number
}

function toSteps({ role, name, inside, place = 0 }: Part): Step[] {
  const step = {
    selector: SELECTORS[role],
    name: typeof name === 'string' ? name : null,
    pattern: toPattern(name),
    place,
  }
  return [...(inside ? toSteps(inside) : []), step]
}

const toPattern = (name?: ExpectedText): Step['pattern'] =>
  name instanceof RegExp ? [name.source, name.flags] : null

const SELECTORS: Record<Role, string> = {
  button: 'button:not([role]), summary, [role=button]',
  cell: 'td, [role=cell]',
  checkbox: 'input[type=checkbox], [role=checkbox], [role=menuitemcheckbox]',
  columnheader: 'th',
  combobox: 'select, [role=combobox]',
  complementary: 'aside, [role=complementary]',
  dialog: 'dialog, [role=dialog]',
  figure: 'figure, [role=figure]',
  heading: 'h1, h2, h3, [role=heading]',
  link: 'a[href]:not([role])',
  main: 'main',
  navigation: 'nav',
  option: '[role=option]',
  region: 'section[aria-label], section[aria-labelledby], [role=region]',
  row: 'tr',
  table: 'table',
  textbox: 'input:not([type]):not([role]), input[type=text]:not([role]), textarea, [role=textbox]',
}

/** Runs in the page. Null if nothing visible matches. */
function findPart(steps: Step[]): Element | null {
  const isSpoken = (node: Node) =>
    !(node instanceof Element) || (node.ariaHidden !== 'true' && node.checkVisibility())

  function toText(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? ''
    if (node instanceof Element && node.ariaLabel) return node.ariaLabel
    const texts = [...node.childNodes].filter(isSpoken).map(toText)
    const display = node instanceof Element ? getComputedStyle(node).display : ''
    return display === 'inline' || display === '' ? texts.join('') : ` ${texts.join('')} `
  }

  function toName(element: Element): string {
    const by = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
    const named = by.map((id) => document.getElementById(id)).filter((one) => one !== null)
    if (named.length > 0) return named.map(toText).join(' ')
    if (element.ariaLabel) return element.ariaLabel
    if ('labels' in element && element.labels instanceof NodeList && element.labels.length > 0) {
      return [...element.labels].map(toText).join(' ')
    }
    const caption = element.querySelector(':scope > caption, :scope > figcaption')
    return toText(caption ?? element) || (element.getAttribute('title') ?? '')
  }

  let within: Element | Document = document
  for (const { selector, name, pattern, place } of steps) {
    const matches: Element[] = [...within.querySelectorAll(selector)].filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false
      if (name === null && pattern === null) return true
      const own = toName(element).replace(/\s+/g, ' ').trim()
      return pattern ? new RegExp(pattern[0], pattern[1]).test(own) : own === name
    })
    const match: Element | undefined = matches[place]
    if (!match) return null
    within = match
  }
  return within instanceof Element ? within : null
}

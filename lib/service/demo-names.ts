import { demoSymbols } from './demo-community.ts'

type DemoName = { name: string; sector: string }

const ADJECTIVES =
  `Amber Brisk Candid Dapper Eager Fuzzy Gilded Humble Ivory Jolly Knitted Lunar Mellow Nimble Oaken
Plucky Quiet Rustic Sleepy Tidy Velvet Woolly Zesty`.split(/\s+/)

const NOUNS =
  `Acorn Badger Candle Dumpling Easel Falcon Gherkin Heron Igloo Jigsaw Kettle Lantern Marmot Noodle Otter
Pebble Quokka Radish Saddle Teapot Umbrella Walnut Yodel`.split(/\s+/)

const SECTORS = [
  ['Technology', 'Software', 'Circuits', 'Robots', 'Networks'],
  ['Consumer', 'Toys', 'Shoes', 'Bakeries', 'Furniture'],
  ['Finance', 'Savings', 'Insurance', 'Lending'],
  ['Health', 'Remedies', 'Clinics', 'Spectacles'],
  ['Industry', 'Railways', 'Pumps', 'Bridges'],
  ['Technology', 'Chips', 'Cloudware', 'Screens'],
  ['Energy', 'Windmills', 'Batteries', 'Lamps'],
  ['Media', 'Pictures', 'Games', 'Radio'],
  ['Materials', 'Bricks', 'Glass', 'Paper'],
] as const

/** Invented, so that no name can be taken for a real company's. Unique. */
export const DEMO_NAMES: ReadonlyMap<string, DemoName> = new Map(
  demoSymbols.map(({ symbol }, index) => {
    const round = Math.floor(index / ADJECTIVES.length)
    const [sector, ...kinds] = SECTORS[(index * 5 + round) % SECTORS.length] ?? SECTORS[0]
    const words = [
      ADJECTIVES[index % ADJECTIVES.length],
      NOUNS[(index + round) % NOUNS.length],
      kinds[(index + round) % kinds.length],
    ]
    return [symbol, { name: words.join(' '), sector }]
  }),
)

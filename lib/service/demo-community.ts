const STREAMS = { draw: 1, favourite: 2, bias: 3, contrarian: 4, patience: 5 }
const USERS_AT_START = 0.08

type Draw = {
  user: number
  symbol: number
  leaning: number
  stubborn: boolean
  random: Random
}

export type Community = {
  users: number
  symbols: number
  /** `position` 1 is the oldest rating. The returned Draw is reused. */
  draw(position: number, createdAt: number): Draw
}

export function createCommunity(seed: number, ratings: number, end: number): Community {
  const users = Math.max(20, Math.round(10 * Math.sqrt(ratings)))
  const pickUser = createUserPicker(seed, users, end)
  const pickSymbol = createSymbolPicker(seed)
  const opinion = createOpinion(seed, demoSymbols.length)
  const random = createRandom(seed, STREAMS.draw)
  const drawn: Draw = { user: 0, symbol: 0, leaning: 3, stubborn: false, random }
  return {
    users,
    symbols: demoSymbols.length,
    draw(position, createdAt) {
      random.seek(position)
      drawn.user = pickUser(random, createdAt)
      drawn.symbol = pickSymbol(random, drawn.user, createdAt, opinion.newsOf(createdAt))
      drawn.leaning = toLeaning(seed, drawn, opinion.at(drawn.symbol, createdAt))
      drawn.stubborn = random.next() < 0.3
      return drawn
    },
  }
}

function createUserPicker(seed: number, users: number, end: number) {
  const weights = powerLaw(users, 12, 0.9)
  const shuffle = createRandom(seed, STREAMS.patience)
  for (let index = users - 1; index > 0; index -= 1) {
    const other = Math.floor(shuffle.next() * (index + 1))
    const moved = weights[index] ?? 0
    weights[index] = weights[other] ?? 0
    weights[other] = moved
  }
  const sample = createSampler(weights)
  const span = Math.max(1, end - DEMO_START)
  return (random: Random, createdAt: number): number => {
    const share = Math.min(1, (createdAt - DEMO_START) / span)
    const joined = Math.ceil(users * (USERS_AT_START + (1 - USERS_AT_START) * share))
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const user = sample(random.next()) + 1
      if (user <= joined) return user
    }
    return 1 + Math.floor(random.next() * joined)
  }
}

function createSymbolPicker(seed: number) {
  const sample = createSampler(powerLaw(demoSymbols.length, 3, 1.05))
  const pick = (random: Random, user: number, news: readonly number[]) => {
    const mood = random.next()
    if (mood < 0.22 && news.length > 0) {
      return news[Math.floor(random.next() ** 1.6 * news.length)] ?? 0
    }
    if (mood > 0.6) return sample(random.next())
    const favourite = Math.floor(random.next() ** 2 * (3 + (user % 17)))
    return sample(toUnit(seed, STREAMS.favourite, user * 32 + favourite))
  }
  return (random: Random, user: number, createdAt: number, news: readonly number[]): number => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const symbol = pick(random, user, news)
      if ((demoSymbols[symbol]?.listedAt ?? 0) <= createdAt) return symbol
    }
    return 0
  }
}

function toLeaning(seed: number, { user, random }: Draw, opinion: number): number {
  const bias = 1.1 * (toUnit(seed, STREAMS.bias, user) - 0.5)
  const view = toUnit(seed, STREAMS.contrarian, user) < 0.05 ? -opinion : opinion
  const noise = 1.1 * (random.next() + random.next() + random.next() - 1.5)
  return Math.max(1, Math.min(5, Math.round(3 + view + bias + noise)))
}

const HOUR = 3600
const DAY = 86_400

export type DemoRating = {
  id: number
  user_id: number
  symbol: string
  rating: number
  action: number
  /** Hundredths of a percent. */
  prediction_cents: number
  created_at: number
  /** Seconds since the previous rating. */
  gap: number
  expires_at: number
  /** Equals `expires_at` unless the user ends it early. */
  ended_at: number
  /** Final votes, reached `settle_seconds` after posting. */
  agree: number
  disagree: number
  comments: number
  settle_seconds: number
}

type PostedRating = Pick<DemoRating, 'id' | 'symbol' | 'created_at' | 'gap'>

/** `previous` is the user's last rating on the symbol, 0 if none. */
export function toDemoRating(draw: Draw, previous: number, written: PostedRating): DemoRating {
  const { random } = draw
  const rating = previous > 0 && draw.stubborn ? previous : draw.leaning
  const days = toDays(random.next())
  const early = random.next() < 0.09 ? 0.05 + 0.85 * random.next() : 1
  const heat = 5 * Math.log(1 - random.next()) ** 2
  const approval = 0.35 + 0.6 * random.next()
  return {
    id: written.id,
    user_id: draw.user,
    symbol: written.symbol,
    rating,
    action: toAction(rating, previous),
    prediction_cents: toPrediction(rating, days, random),
    created_at: written.created_at,
    gap: written.gap,
    expires_at: written.created_at + days * DAY,
    ended_at: written.created_at + Math.floor(days * DAY * early),
    agree: Math.round(heat * approval),
    disagree: Math.round(heat * (1 - approval)),
    comments: Math.round(heat * 0.4 * random.next()),
    settle_seconds: HOUR * (4 + Math.floor(90 * random.next())),
  }
}

/** 1 Initiated, 2 Upgraded, 3 Downgraded, 4 Reiterated. */
function toAction(rating: number, previous: number): number {
  if (previous === 0) return 1
  if (rating === previous) return 4
  return rating > previous ? 2 : 3
}

function toDays(unit: number): number {
  if (unit < 0.15) return 30
  if (unit < 0.5) return 90
  return unit < 0.7 ? 180 : 365
}

const MIDDLE = [0, -2600, -1100, 120, 1150, 2700]

function toPrediction(rating: number, days: number, random: Random): number {
  const noise = random.next() + random.next() - 1
  if (rating === 3) return Math.round(120 + 620 * noise)
  const reach = Math.sqrt(days / 180)
  const outlier = random.next() < 0.004 ? 3 + 6 * random.next() : 1
  const cents = (MIDDLE[rating] ?? 0) * reach * (1 + 0.85 * noise) * outlier
  return Math.max(-9500, Math.round(cents))
}

const QUARTER_DAYS = 91
const OPINION_STREAMS = { level: 21, phase: 22, period: 23, verdict: 24, event: 25 }
const WAVES = [
  { days: 1100, size: 0.75 },
  { days: 290, size: 0.5 },
  { days: 67, size: 0.25 },
]

export type Opinion = {
  at(symbol: number, second: number): number
  newsOf(second: number): readonly number[]
}

/**
 * Depends on seed, symbol and day only, so that history and live tail agree without shared state.
 */
function createOpinion(seed: number, symbols: number): Opinion {
  const cache = new Float64Array(symbols)
  const cachedDay = new Int32Array(symbols).fill(-1)
  let newsDay = -1
  let news: number[] = []
  return {
    at(symbol, second) {
      const day = Math.floor(second / DAY)
      if (cachedDay[symbol] !== day) {
        cache[symbol] = toOpinion(seed, symbol, day)
        cachedDay[symbol] = day
      }
      return cache[symbol] ?? 0
    },
    newsOf(second) {
      const day = Math.floor(second / DAY)
      if (newsDay !== day) {
        newsDay = day
        news = Array.from({ length: symbols }, (_, symbol) => symbol).filter(
          (symbol) => toDayOfQuarter(seed, symbol, day) < 2,
        )
      }
      return news
    },
  }
}

function toOpinion(seed: number, symbol: number, day: number): number {
  const level = 0.4 + 1.2 * (toUnit(seed, OPINION_STREAMS.level, symbol) - 0.5)
  const waves = WAVES.map(({ days, size }, wave) => {
    const key = symbol * WAVES.length + wave
    const period = days * (0.7 + 0.6 * toUnit(seed, OPINION_STREAMS.period, key))
    const phase = toUnit(seed, OPINION_STREAMS.phase, key)
    return size * Math.sin(2 * Math.PI * (day / period + phase))
  })
  const quarter = Math.floor((day + toOffset(seed, symbol)) / QUARTER_DAYS)
  const verdict = 0.9 * (toUnit(seed, OPINION_STREAMS.verdict, symbol * 1000 + quarter) - 0.5)
  return level + verdict + waves.reduce((sum, wave) => sum + wave, 0)
}

const toOffset = (seed: number, symbol: number) =>
  Math.floor(QUARTER_DAYS * toUnit(seed, OPINION_STREAMS.event, symbol))

const toDayOfQuarter = (seed: number, symbol: number, day: number) =>
  (day + toOffset(seed, symbol)) % QUARTER_DAYS

/** 2014-01-01, in seconds since 1970. */
export const DEMO_START = 1_388_534_400
const BURST_STREAM = 11

/** Per UTC hour; New York market hours are the busiest. */
const HOUR_WEIGHTS = [2, 2, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 8, 10, 9, 8, 8, 9, 10, 7, 5, 4, 3]
const HOUR_TOTAL = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight, 0)

/** Requires ascending positions; results never descend. */
type Calendar = { toInstant(share: number): number }

/** `end` is exclusive, in seconds. */
export function createCalendar(seed: number, end: number): Calendar {
  const days = Math.max(1, Math.ceil((end - DEMO_START) / DAY))
  const before = new Float64Array(days + 1)
  for (let day = 0; day < days; day += 1) {
    const part = Math.min(1, (end - DEMO_START) / DAY - day)
    before[day + 1] = (before[day] ?? 0) + part * toDayWeight(seed, day)
  }
  const total = before[days] ?? 0
  let day = 0
  return {
    toInstant(share) {
      const target = share * total
      while (day < days - 1 && (before[day + 1] ?? 0) <= target) day += 1
      const first = before[day] ?? 0
      const weight = (before[day + 1] ?? 0) - first
      const seconds = Math.min(DAY, end - DEMO_START - day * DAY)
      const within = toShareOfDay(Math.min(1, (target - first) / weight)) * seconds
      return DEMO_START + day * DAY + Math.max(0, Math.min(seconds - 1, Math.floor(within)))
    },
  }
}

function toDayWeight(seed: number, day: number): number {
  const year = day / 365.25
  const growth = 0.12 + (year / 6) ** 1.5
  const mania = 1 + 1.6 * Math.exp(-(((year - 7.1) / 0.5) ** 2))
  const weekday = (day + 3) % 7
  const week = weekday >= 5 ? 0.25 : 1
  const luck = toUnit(seed, BURST_STREAM, day)
  return growth * mania * week * (luck > 0.97 ? 2.8 : 0.6 + 0.8 * luck)
}

function toShareOfDay(unit: number): number {
  let left = unit * HOUR_TOTAL
  for (let hour = 0; hour < HOUR_WEIGHTS.length; hour += 1) {
    const weight = HOUR_WEIGHTS[hour] ?? 1
    if (left <= weight) return (hour + left / weight) / HOUR_WEIGHTS.length
    left -= weight
  }
  return 1
}

/** Most discussed first; `:2020` is the listing year if after 2013. */
const LISTED = `
AAPL TSLA NVDA AMZN MSFT META AMD GOOGL NFLX PLTR:2020 SPY QQQ DIS BABA:2014 INTC BA COIN:2021 GME F NIO:2018
AMC PYPL SQ:2015 SHOP:2015 UBER:2019 SNAP:2017 ROKU:2017 CRM JPM BAC WMT COST T PFE MRNA:2018 GE XOM V MU GOOG
SOFI:2020 RIVN:2021 LCID:2020 HOOD:2021 SNOW:2020 ABNB:2020 CRWD:2019 NET:2019 DKNG:2020 ZM:2019 PINS:2019 LYFT:2019
SPOT:2018 TWLO:2016 DOCU:2018 OKTA:2017 DDOG:2019 MDB:2017 ETSY:2015 PTON:2019 BYND:2019 CVNA:2017 TDOC:2015 FSLY:2019
U:2020 RBLX:2021 AFRM:2021 UPST:2020 ARM:2023 RDDT:2024 SMCI AVGO QCOM TXN ORCL CSCO IBM ADBE INTU NOW PANW FTNT ZS:2018
KO PEP MCD SBUX NKE TGT HD LOW LULU CMG YUM DPZ WEN JNJ MRK ABBV LLY BMY GILD AMGN BIIB REGN VRTX UNH CVS CI HUM
CVX COP OXY SLB HAL MPC VLO PSX EOG DVN FANG KMI WMB ET EPD NEE DUK SO AEP D EXC XEL ENPH:2014 SEDG:2015 FSLR RUN:2015
GS MS C WFC USB PNC SCHW BLK AXP MA COF ALL PGR MET PRU AIG TRV BX KKR APO
CAT DE MMM HON LMT RTX NOC GD UPS FDX UNP CSX NSC DAL UAL AAL LUV JBLU CCL RCL NCLH MAR HLT ABT MDT TMO DHR ISRG SYK BSX
GM STLA TM HMC RACE:2015 BIDU JD:2014 PDD:2018 TCEHY LI:2020 XPEV:2020 SE:2017 MELI NU:2021 GRAB:2021 VALE PBR RIO BHP FCX NEM AA X CLF NUE STLD
AMAT LRCX KLAC ASML TSM MRVL ON NXPI ADI MCHP SWKS QRVO WOLF TER ENTG KEYS
TMUS VZ CMCSA CHTR WBD PARA FOX LYV EA TTWO MTCH EBAY W:2014 CHWY:2019 BBY KSS M GPS ANF URBN AEO TJX ROST DG DLTR KR SYY
PG CL KMB CLX EL MO PM BTI KHC:2015 GIS K HSY MDLZ MNST CELH TSN HRL CAG CPB STZ DEO BUD TAP SAM
PLD AMT CCI EQIX O SPG PSA VICI:2018 WELL AVB CZR MGM WYNN LVS PENN IQ:2018 TLRY:2018 CGC:2016 ACB:2017 SPCE:2019 ASTS:2021 RKLB:2021 IONQ:2021
JOBY:2021 ACHR:2021 PLUG FCEL BLDP CHPT:2020 QS:2020 BLNK:2018 OPEN:2020 Z WISH:2020 CLOV:2021 BB NOK MARA RIOT MSTR HUT:2018 CLSK:2016`

/** `listedAt`: seconds since 1970, 0 if listed before the history begins. */
type DemoSymbol = { symbol: string; listedAt: number }

export const demoSymbols: readonly DemoSymbol[] = LISTED.trim()
  .split(/\s+/)
  .map((entry) => {
    const [symbol = '', year] = entry.split(':')
    return { symbol, listedAt: year ? Date.UTC(Number(year), 5, 1) / 1000 : 0 }
  })

const UNIT = 1 / 4_294_967_296

export function toUnit(seed: number, stream: number, index: number): number {
  return (mix(mix(mix(seed | 0) ^ stream) ^ index) >>> 0) * UNIT
}

/** mulberry32 */
type Random = { seek(index: number): void; next(): number }

export function createRandom(seed: number, stream: number): Random {
  const base = mix(mix(seed | 0) ^ stream)
  let state = base
  return {
    seek(index) {
      state = mix(base ^ index)
    },
    next() {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) * UNIT
    },
  }
}

function createSampler(weights: readonly number[]): (unit: number) => number {
  const cumulative = new Float64Array(weights.length)
  let total = 0
  weights.forEach((weight, index) => {
    total += weight
    cumulative[index] = total
  })
  return (unit) => {
    const target = unit * total
    let low = 0
    let high = cumulative.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

const powerLaw = (size: number, shift: number, exponent: number): number[] =>
  Array.from({ length: size }, (_, rank) => (rank + shift) ** -exponent)

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) + 0x9e3779b9
}

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

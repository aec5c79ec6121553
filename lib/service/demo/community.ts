import { DEMO_START } from './calendar.ts'
import { createOpinion } from './opinion.ts'
import { createRandom, createSampler, powerLaw, type Random, toUnit } from './random.ts'
import { tickers } from './tickers.ts'

const STREAMS = { draw: 1, favourite: 2, bias: 3, contrarian: 4, patience: 5 }
const MEMBERS_AT_START = 0.08

/** Who rates what, and what they think: everything about a rating except what the member said before. */
export type Draw = {
  member: number
  /** Index into the tickers. */
  symbol: number
  /** The rating that the member would give with no earlier one to hold on to. */
  leaning: number
  /** Whether an earlier rating is simply repeated. */
  stubborn: boolean
  /** Goes on giving numbers for the rest of the rating. */
  random: Random
}

export type Community = {
  members: number
  symbols: number
  /** Draws the rating with this position (1 is the oldest), posted at `createdAt` (seconds). The Draw is reused. */
  draw(position: number, createdAt: number): Draw
}

/** The people and symbols of a demo community of `ratings` ratings: a function of seed and size, with no state. */
export function createCommunity(seed: number, ratings: number, end: number): Community {
  const members = Math.max(20, Math.round(10 * Math.sqrt(ratings)))
  const pickMember = createMemberPicker(seed, members, end)
  const pickSymbol = createSymbolPicker(seed)
  const opinion = createOpinion(seed, tickers.length)
  const random = createRandom(seed, STREAMS.draw)
  const drawn: Draw = { member: 0, symbol: 0, leaning: 3, stubborn: false, random }
  return {
    members,
    symbols: tickers.length,
    draw(position, createdAt) {
      random.seek(position)
      drawn.member = pickMember(random, createdAt)
      drawn.symbol = pickSymbol(random, drawn.member, createdAt, opinion.newsOf(createdAt))
      drawn.leaning = toLeaning(seed, drawn, opinion.at(drawn.symbol, createdAt))
      drawn.stubborn = random.next() < 0.3
      return drawn
    },
  }
}

/** Members are numbered from 1 in the order of joining; how busy one is has nothing to do with that order. */
function createMemberPicker(seed: number, members: number, end: number) {
  const weights = powerLaw(members, 12, 0.9)
  const shuffle = createRandom(seed, STREAMS.patience)
  for (let index = members - 1; index > 0; index -= 1) {
    const other = Math.floor(shuffle.next() * (index + 1))
    const moved = weights[index] ?? 0
    weights[index] = weights[other] ?? 0
    weights[other] = moved
  }
  const sample = createSampler(weights)
  const span = Math.max(1, end - DEMO_START)
  return (random: Random, createdAt: number): number => {
    const share = Math.min(1, (createdAt - DEMO_START) / span)
    const joined = Math.ceil(members * (MEMBERS_AT_START + (1 - MEMBERS_AT_START) * share))
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const member = sample(random.next()) + 1
      if (member <= joined) return member
    }
    return 1 + Math.floor(random.next() * joined)
  }
}

/** News first, then what the member always talks about, then what everybody talks about. */
function createSymbolPicker(seed: number) {
  const sample = createSampler(powerLaw(tickers.length, 3, 1.05))
  const pick = (random: Random, member: number, news: readonly number[]) => {
    const mood = random.next()
    if (mood < 0.22 && news.length > 0) {
      return news[Math.floor(random.next() ** 1.6 * news.length)] ?? 0
    }
    if (mood > 0.6) return sample(random.next())
    const favourite = Math.floor(random.next() ** 2 * (3 + (member % 17)))
    return sample(toUnit(seed, STREAMS.favourite, member * 32 + favourite))
  }
  return (random: Random, member: number, createdAt: number, news: readonly number[]): number => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const symbol = pick(random, member, news)
      if ((tickers[symbol]?.listedAt ?? 0) <= createdAt) return symbol
    }
    return 0
  }
}

function toLeaning(seed: number, { member, random }: Draw, opinion: number): number {
  const bias = 1.1 * (toUnit(seed, STREAMS.bias, member) - 0.5)
  const view = toUnit(seed, STREAMS.contrarian, member) < 0.05 ? -opinion : opinion
  const noise = 1.1 * (random.next() + random.next() + random.next() - 1.5)
  return Math.max(1, Math.min(5, Math.round(3 + view + bias + noise)))
}

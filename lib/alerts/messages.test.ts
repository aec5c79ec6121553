import { expect, test } from 'vitest'
import { type AlertRule, alertRule } from '#lib/contract/alert-rules.ts'
import { WEBHOOK_FORMATS, type WebhookFormat } from '#lib/contract/answers/alerts.ts'
import { HOSTILE_TEXTS } from '#testing/hostile-texts.ts'
import { toBody } from './formats.ts'
import { toMessage, toTestMessage } from './messages.ts'
import type { HeldBack } from './state.ts'

const NOTHING: HeldBack = { total: 1, from: 0, ratings: [], changes: [], alarms: [] }
const ofRating = (text: string): HeldBack => ({
  ...NOTHING,
  ratings: [
    {
      id: 1,
      user_id: 2,
      symbol: text,
      rating: 4,
      rating_label: text,
      action: 1,
      action_label: text,
      prediction: '1.00',
      created_at: 0,
      previous_rating: null,
      previous_prediction: null,
    },
  ],
})
const ofChange = (text: string): HeldBack => ({
  ...NOTHING,
  changes: [
    {
      symbol: text,
      at: 0,
      direction: 'up',
      consensus: '3.5000',
      active: 3,
      consensus_before: null,
      change: null,
    },
  ],
})

const NAMED = { name: 'A', webhook: 'hook' } as const
const RATINGS: AlertRule = { ...NAMED, kind: 'ratings', query: '' }
const CROSSING: AlertRule = { ...NAMED, kind: 'crossing', symbols: ['A'], value: '3.5' }

const URL_SHOWN = /\nhttps:\/\/ratings\.example\/\S*$/

function toShown(format: WebhookFormat, body: string): string {
  const parsed: { text?: string; content?: string } = JSON.parse(body)
  return (format === 'discord' ? parsed.content : parsed.text) ?? ''
}

const ACTS =
  /[@<](?!\u200b)|\]\(|:\/\/|\bwww\.|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/iu

const NAMES = HOSTILE_TEXTS.filter((name) => alertRule.safeParse({ ...RATINGS, name }).success)

test.each(WEBHOOK_FORMATS)(
  'no text mentions anybody, links anywhere or breaks a line as %s',
  (format) => {
    const cases: [AlertRule, HeldBack][] = [
      ...HOSTILE_TEXTS.map((text): [AlertRule, HeldBack] => [RATINGS, ofRating(text)]),
      ...HOSTILE_TEXTS.map((text): [AlertRule, HeldBack] => [CROSSING, ofChange(text)]),
      ...NAMES.map((name): [AlertRule, HeldBack] => [{ ...RATINGS, name }, ofRating('A')]),
    ]
    for (const [rule, held] of cases) {
      const message = toMessage(rule, held, 0, (path) => `https://ratings.example${path}`)
      const shown = toShown(format, toBody(format, message))
      expect(shown).toMatch(URL_SHOWN)
      const lines = shown.replace(URL_SHOWN, '').split('\n')
      expect(lines).toHaveLength(2)
      for (const line of lines) {
        expect(line).not.toMatch(ACTS)
        if (format === 'slack') expect(line).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/)
        if (format !== 'slack' && format !== 'standard') {
          expect(line.replaceAll(/\\[\\`*_~|[\]#>]/g, '')).not.toMatch(/[\\`*_~|[\]#>]/)
        }
      }
    }
  },
)

test('a program gets every text as it came', () => {
  for (const text of HOSTILE_TEXTS) {
    const { body } = toMessage(RATINGS, ofRating(text), 0, () => null)
    expect(JSON.parse(body).data.ratings).toEqual(ofRating(text).ratings)
  }
})

test('an address that is too long for a chat is left out of its text alone', () => {
  const url = `https://ratings.example/?symbol=${'A'.repeat(1000)}`
  const { text, body } = toMessage(RATINGS, ofRating('A'), 0, () => url)
  expect(text).not.toContain('https')
  expect(JSON.parse(body)).toMatchObject({ text, data: { url } })
})

test('a test message names its webhook and breaks nothing either', () => {
  const { text } = toTestMessage('<!channel> @here', 0, () => null)
  expect(text).toContain('“<\u200b!channel> @\u200bhere”')
})

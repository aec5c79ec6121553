import { describe, expect, test } from 'vitest'
import { type Content, recognizeFormat, toBody } from './formats.ts'

const ID = 'abcdefghijklmnopqrstuvwxyz'

test.each([
  ['https://hooks.slack.com/services/T000/B000/XXXX', 'slack'],
  ['https://hooks.slack.com/triggers/T000/1/abc', 'slack'],
  ['https://hooks.slack-gov.com/services/T000/B000/XXXX', 'slack'],
  ['https://team.slack.com/services/hooks/incoming-webhook?token=abc', 'slack'],
  ['https://discord.com/api/webhooks/123456789012345678/abc-DEF_1', 'discord'],
  ['https://discordapp.com/api/v10/webhooks/123456789012345678/abc?wait=true', 'discord'],
  ['https://canary.discord.com/api/webhooks/1/abc', 'discord'],
  ['https://discord.com/api/webhooks/123456789012345678/abc/slack', 'slack'],
  ['http://discord-proxy:8080/api/webhooks/123456789012345678/abc', 'discord'],
  [`https://chat.example.com/hooks/${ID}`, 'mattermost'],
  [`http://10.0.0.7:8065/team/chat/hooks/${ID}/`, 'mattermost'],
  [
    'https://chat.example/hooks/64f1c0ffee64f1c0ffee64f1/aBcDeFgHiJkLmNoPqRsTuVwXyZ012345',
    'rocketchat',
  ],
  ['https://chat.example/rc/hooks/AbCdEfGhIjKlMnOpQ/aBcDeFgHiJkLmNoPqRsTuVwXyZ0', 'rocketchat'],
  ['https://hooks.slack.com.example/services/T000/B000/XXXX', 'standard'],
  ['https://notslack.com/services/T000/B000/XXXX', 'standard'],
  ['https://discord.com.example/api/webhooks/1/abc', 'standard'],
  [`https://chat.example/hooks/${ID}1`, 'standard'],
  [`https://chat.example/hooks/${ID}/edit`, 'standard'],
  [`https://chat.example/?next=/hooks/${ID}`, 'standard'],
  ['https://hooks.zapier.com/hooks/catch/123/abcdef/', 'standard'],
  ['https://desk.example.com/ratings', 'standard'],
])('%s takes %s', (address, format) => {
  expect(recognizeFormat(new URL(address))).toBe(format)
})

describe('a message in the format', () => {
  const url = 'https://ratings.example/?symbol=A_B&rating=5'
  const content: Content = {
    text: 'A & B <\u200b!x> *b* _i_ `c` [t](u)\n# h | s ~d~ \\',
    url,
    body: '{"type":"alert.test"}',
  }

  test('of Standard Webhooks is its body', () => {
    expect(toBody('standard', content)).toBe(content.body)
  })

  test('of Slack has text alone, with its marks escaped and no markup', () => {
    expect(JSON.parse(toBody('slack', content))).toEqual({
      text: `A &amp; B &lt;\u200b!x&gt; *b* _i_ \`c\` [t](u)\n# h | s ~d~ \\\n${url}`,
      mrkdwn: false,
    })
  })

  test.each(['mattermost', 'rocketchat'] as const)(
    'of %s has text alone, with Markdown escaped and the link whole',
    (format) => {
      expect(JSON.parse(toBody(format, content))).toEqual({
        text: `A & B <\u200b!x\\> \\*b\\* \\_i\\_ \\\`c\\\` \\[t\\](u)\n\\# h \\| s \\~d\\~ \\\\\n${url}`,
      })
    },
  )

  test('of Discord mentions nobody', () => {
    expect(JSON.parse(toBody('discord', content))).toEqual({
      content: `A & B <\u200b!x\\> \\*b\\* \\_i\\_ \\\`c\\\` \\[t\\](u)\n\\# h \\| s \\~d\\~ \\\\\n${url}`,
      allowed_mentions: { parse: [] },
    })
  })

  test.each(['*', '\\', 'x*', '🙂', 'x🙂'])(
    'of Discord is short enough and has its link, however often it says %s',
    (part) => {
      const body = toBody('discord', { ...content, text: part.repeat(1900) })
      const { content: shown }: { content: string } = JSON.parse(body)
      expect(shown.length).toBeLessThanOrEqual(2000)
      expect(shown.endsWith(`…\n${url}`)).toBe(true)
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).not.toMatch(/(?:^|[^\\])(?:\\\\)*\\…/)
    },
  )
})

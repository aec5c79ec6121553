import { describe, expect, it } from 'vitest'
import { parseDatabaseUrl, toPlainAddress } from './address.ts'
import { toStoreError } from './connection.ts'

const parse = (url: string) => parseDatabaseUrl(url, () => 'PEM')

describe('the address of the shared database', () => {
  it('names several hosts, each with its port', () => {
    const parsed = parse('postgres://us%40er:p%3Aw:x@a,b:6000,[::1]:7000/rat%20ings')
    if (!parsed.ok) throw new Error(parsed.problem)
    expect(parsed.address).toMatchObject({
      hosts: [
        { host: 'a', port: 5432 },
        { host: 'b', port: 6000 },
        { host: '::1', port: 7000 },
      ],
      user: 'us@er',
      password: 'p:w:x',
      name: 'rat ings',
    })
    expect(toPlainAddress(parsed.address)).toBe('a:5432, b:6000, ::1:7000, database rat ings')
  })

  it.each([
    ['postgres://u@db.example.com/x', 'verify-full'],
    ['postgres://u@127.0.0.1/x', 'disable'],
    ['postgres://u@127.0.0.1,db.example.com/x', 'verify-full'],
    ['postgres://u@db.example.com/x?sslmode=disable', 'disable'],
    ['postgres://u@db.example.com/x?sslmode=require', 'require'],
  ])('%s is asked with sslmode %s', (url, tls) => {
    expect(parse(url)).toMatchObject({ ok: true, address: { tls } })
  })

  it.each([
    'mysql://u:secret@h/x',
    'postgres://:secret@h/x',
    'postgres://u:secret@h',
    'postgres://u:secret@h:99999/x',
    'postgres://u:secret%@h/x',
    'postgres://u:secret@h/x?sslmode=prefer',
    'postgres://u:secret@h/x?secret=1',
    'u:secret@h/x',
    '',
  ])('is refused without being repeated: %s', (url) => {
    const parsed = parse(url)
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toContain('secret')
  })

  it('is refused where the authority cannot be read', () => {
    const parsed = parseDatabaseUrl('postgres://u@h/x?sslrootcert=/nowhere/ca.pem')
    expect(parsed).toMatchObject({ ok: false, problem: 'names an sslrootcert that cannot be read' })
  })
})

describe('what the driver throws', () => {
  it('is told in a sentence that holds nothing of it', () => {
    const cause = Object.assign(new Error('password authentication failed for "hunter2"'), {
      code: '28P01',
    })
    expect(toStoreError(cause).message).toBe('The shared database does not accept the password.')
    expect(toStoreError(new Error('hunter2')).message).toBe(
      'The shared database cannot be reached.',
    )
  })
})

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Issuer = { name: string; privateKey: KeyObject }
export type Certificate = Issuer & { cert: string; key: string }

const DAY_MS = 86_400_000

export type CertificateOptions = {
  name: string
  issuer?: Issuer
  isAuthority?: boolean
  /** Days from today. */
  from?: number
  until?: number
}

export function makeCertificate(options: CertificateOptions): Certificate {
  const { name, isAuthority = false, from = -2, until = 2 } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = options.issuer ?? { name, privateKey }
  const extensions = isAuthority
    ? sequence(OID.basicConstraints, TRUE, octets(sequence(TRUE)))
    : sequence(OID.subjectAltName, octets(sequence(der(0x82, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, VERSION_3),
    integer(randomBytes(8)),
    ECDSA_SHA256,
    toName(issuer.name),
    sequence(toTime(from), toTime(until)),
    toName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  )
  const signature = sign('sha256', body, issuer.privateKey)
  const whole = sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { name, privateKey, cert, key }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const octets = (part: Buffer) => der(0x04, part)
/** The leading zero keeps it positive. */
const integer = (bytes: Buffer) => der(0x02, Buffer.from([0x01]), bytes)
const VERSION_3 = der(0x02, Buffer.from([2]))
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const TRUE = der(0x01, Buffer.from([0xff]))
const OID = {
  commonName: oid(0x55, 0x04, 0x03),
  basicConstraints: oid(0x55, 0x1d, 0x13),
  subjectAltName: oid(0x55, 0x1d, 0x11),
}
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

const toName = (name: string) =>
  sequence(der(0x31, sequence(OID.commonName, der(0x0c, Buffer.from(name)))))

/** `YYMMDDHHMMSSZ` */
function toTime(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

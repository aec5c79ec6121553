/** `network` and `timeout` may pass; `tls`, `protocol` and `unknown` are not sent again. */
export type TransportFailureKind = 'network' | 'timeout' | 'tls' | 'protocol' | 'unknown'

/**
 * What a transport throws where no answer came, or where its body broke off. The message is one of ours: what the
 * network library wrote stays behind, since an address with the key may stand in it.
 */
export class TransportFailure extends Error {
  readonly kind: TransportFailureKind

  constructor(kind: TransportFailureKind, message: string) {
    super(message)
    this.name = 'TransportFailure'
    this.kind = kind
  }
}

const KNOWN: Readonly<Record<string, [TransportFailureKind, string]>> = {
  ECONNREFUSED: ['network', 'The service refused the connection.'],
  ECONNRESET: ['network', 'The service broke off the connection.'],
  EPIPE: ['network', 'The service broke off the connection.'],
  UND_ERR_SOCKET: ['network', 'The service broke off the connection.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['network', 'The answer of the service ended early.'],
  HPE_INVALID_EOF_STATE: ['network', 'The answer of the service ended early.'],
  ENOTFOUND: ['network', 'The name of the service cannot be looked up.'],
  EAI_AGAIN: ['network', 'The name of the service cannot be looked up.'],
  EAI_FAIL: ['network', 'The name of the service cannot be looked up.'],
  ENETUNREACH: ['network', 'There is no way through the network to the service.'],
  ENETDOWN: ['network', 'There is no way through the network to the service.'],
  EHOSTUNREACH: ['network', 'There is no way through the network to the service.'],
  EADDRNOTAVAIL: ['network', 'There is no way through the network to the service.'],
  ETIMEDOUT: ['timeout', 'The service did not take the connection in time.'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The service did not take the connection in time.'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'The service did not answer in time.'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'The answer of the service stood still.'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'The headers of the service are too large.'],
  EPROTO: ['tls', 'The service does not speak TLS as it should.'],
}

const CERTIFICATE = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/
const TLS = /^ERR_(?:TLS|SSL)_/

/** What a network library threw, as a failure of ours; recognised by its code alone. */
export function toTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error
  const code = codeOf(error)
  const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (known) return new TransportFailure(...known)
  if (CERTIFICATE.test(code) || code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new TransportFailure('tls', 'The certificate of the service is not to be trusted.')
  }
  if (TLS.test(code)) {
    return new TransportFailure('tls', 'The service does not speak TLS as it should.')
  }
  // The parser does not always give its errors a code.
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError')) {
    return new TransportFailure('protocol', 'The service does not speak HTTP as it should.')
  }
  return new TransportFailure('unknown', 'The request to the service could not be made.')
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

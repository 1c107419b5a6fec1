// Problems between the `documents` commands and a document server.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'

export const documentsProblems = {
  'documents.no-server': {
    severity: 'error',
    summary: 'There is no document server to call',
    example: 'No server was named, and ./steward-data/server.json names no running server.',
    fix: 'Start one with "agents serve", or name one with --url and --token (STEWARD_URL, STEWARD_API_TOKEN).',
  },
  'documents.server-gone': {
    severity: 'error',
    summary: 'The document server of this folder has ended',
    meaning: 'A server that is killed cannot remove its server.json. Nothing is lost by that.',
    example: './steward-data says that process 4711 serves it, and there is no such process.',
    fix: 'Start it again with "agents serve", or name another server with --url and --token.',
  },
  'documents.unproven-server': {
    severity: 'error',
    summary: 'The folder names a server that is not proven to be yours',
    meaning:
      'A folder can come from anybody, and with it an address. A token goes to the address in server.json only if a server that knows the token wrote it, and a password or another secret only if that token is your own (STEWARD_API_TOKEN, --token).',
    example:
      './steward-data names http://127.0.0.1:4780, and nothing shows that the server there is one of this token.',
    fix: 'If you know the server at this address, name it with --url or STEWARD_URL.',
  },
  'documents.unreachable': {
    severity: 'error',
    summary: 'The document server does not answer',
    example: 'http://127.0.0.1:4780 does not answer: connect ECONNREFUSED.',
    fix: 'Check its address, and that it runs.',
  },
  'documents.copy-refused': {
    severity: 'error',
    summary: 'The store was not copied',
    example: 'The target already has records; a copy needs an empty store.',
    fix: 'Stop every server on both stores, and name a target without records: a new folder or another schema (?schema=NAME).',
  },
  'documents.no-copy-source': {
    severity: 'error',
    summary: 'There is no store to copy',
    example: './steward-data is no data folder.',
    fix: 'Name the data folder of a document server, or postgres://USER@HOST:5432/DATABASE, with --from.',
  },
  'documents.restore-refused': {
    severity: 'error',
    summary: 'The backup was not restored',
    meaning: 'A restore writes only into an empty target, so that it never mixes two deployments.',
    example: 'postgres://db:5432/steward already has records.',
    fix: 'Name an empty target: a new folder, another schema (?schema=NAME) in --store, another prefix in --blobs.',
  },
  'documents.refused': {
    severity: 'error',
    summary: 'The document server refused the request',
    example: 'NotFound: There is no such document.',
    fix: 'The code is explained in docs/errors.md, and by the server at /errors.',
  },
  'documents.no-tenant': {
    severity: 'error',
    summary: 'There is no such tenant',
    example: 'This server has no tenant "amce".',
    fix: 'Check --tenant; uploading into a new one creates it.',
  },
  'documents.not-taken': {
    severity: 'error',
    summary: 'The file was not accepted as a document',
    meaning: 'The bytes arrived, but they are not a readable PDF. The record of the attempt stays until it is deleted.',
    example: 'notes.txt became doc_V0bCPRNAjXzBsw5uHLQm, which failed: not-a-pdf.',
    fix: 'Check the file with another program, then remove the record with "agents documents delete".',
  },
  'documents.not-imported': {
    severity: 'error',
    summary: 'The file could not be imported',
    meaning: 'The server did not get the bytes. The record of the attempt stays until it is deleted.',
    example:
      'in/1.pdf was not imported as doc_V0bCPRNAjXzBsw5uHLQm: the connection has no file under this key (source-not-found).',
    fix: 'Correct the key, the hash or the source, and import again; "agents documents delete" removes the record.',
  },
  'documents.no-file': {
    severity: 'error',
    summary: 'The file cannot be read',
    example: 'report.pdf cannot be read: ENOENT: no such file or directory.',
    fix: 'Check its path and its permissions.',
  },
  'documents.no-pdf': {
    severity: 'error',
    summary: 'The file is no PDF',
    example: 'notes.txt does not begin as a PDF.',
    fix: 'Name a PDF file, or the id of a document of the server.',
  },
  'documents.one-id': {
    severity: 'error',
    summary: 'An id belongs to one document',
    example: '--id is given with 3 files.',
    fix: 'Upload the files one by one, or leave the ids to the server.',
  },
  'documents.no-page': {
    severity: 'error',
    summary: 'The document has no such page',
    example: 'There is no page 12; the document has 9.',
    fix: 'Count pages from 1.',
  },
  'documents.no-secret': {
    severity: 'error',
    summary: 'A password is missing',
    example: 'Neither stdin nor STEWARD_DOCUMENT_PASSWORD contains one.',
    fix: 'Set the variable, type it on a terminal, or send it as the first line of stdin.',
  },
  'documents.locked-file': {
    severity: 'error',
    summary: 'The file is encrypted and was not opened',
    example: 'contract.pdf needs another password than the one given.',
    fix: 'Set STEWARD_DOCUMENT_PASSWORD, or add --password to be asked for it.',
  },
  'documents.bad-trust-roots': {
    severity: 'error',
    summary: 'The folder of trusted roots cannot be used',
    example: 'roots/notes.txt: there is no certificate in it.',
    fix: 'Name a folder that contains certificates, in PEM or DER, and no other files but a valid policy.json (docs/signatures.md).',
  },
  'documents.bad-key': {
    severity: 'error',
    summary: 'The key or certificate of the signer cannot be used',
    example: 'key.pem cannot be read as a private key in PEM with this password.',
    fix: 'Name a private key (RSA, EC or Ed25519) with --key and its certificate with --cert, or a PKCS#12 file with --pkcs12, and check its password (STEWARD_KEY_PASSWORD, --key-password-file).',
  },
  'documents.no-timestamp': {
    severity: 'error',
    summary: 'The timestamp authority gave no usable timestamp',
    example: 'https://tsa.example: it answered with 503.',
    fix: 'Check the address, try again, or name another authority. The document is not signed.',
  },
  'documents.bad-cms': {
    severity: 'error',
    summary: 'The file with the signature cannot be read',
    example: 'signature.der cannot be read: no such file or directory.',
    fix: 'Name a CMS (PKCS #7) in DER or PEM.',
  },
  'documents.backup-unfit': {
    severity: 'error',
    summary: 'The backup cannot be made or used',
    meaning: 'A backup is used only if every file in it matches its list, so that nothing is restored by half.',
    example: 'backup/rows.bin is not what was backed up; use another backup.',
    fix: 'Use another backup, or make a new one in an empty folder.',
  },
} as const satisfies ProblemTable

export type DocumentsCode = keyof typeof documentsProblems

export const { problem: documentsProblem } = fromTable<DocumentsCode>(documentsProblems)

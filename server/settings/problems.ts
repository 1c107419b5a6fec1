// Diagnostics about starting a document server and about its data folder.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'

export const serveProblems = {
  'serve.unknown-setting': {
    severity: 'error',
    summary: 'Unknown setting',
    example: 'steward.yaml has "documentByteMax". Did you mean "documentBytesMax"?',
    fix: 'Run "agents serve --help" to see every setting.',
  },
  'serve.bad-setting': {
    severity: 'error',
    summary: 'A setting has an invalid value',
    example: 'STEWARD_SERVE_PORT is "http": must be integer.',
    fix: 'Run "agents serve --help" to see its valid values.',
  },
  'serve.no-settings-file': {
    severity: 'error',
    summary: 'The settings file cannot be read',
    example: 'steward.yaml: no such file or directory.',
    fix: 'Name an existing YAML file with --config, or omit the flag.',
  },
  'serve.weak-secret': {
    severity: 'error',
    summary: 'A secret of the server is too weak',
    example: 'STEWARD_SIGNING_SECRET must be the base64 form of 32 or more random bytes.',
    fix: 'Use at least 32 random bytes in base64: openssl rand -base64 32',
  },
  'serve.bad-secrets': {
    severity: 'error',
    summary: 'The secrets file cannot be read',
    meaning:
      'Without its secrets the server accepts none of the tokens it issued, and cannot decrypt its content of encrypted documents.',
    example: 'steward-data/secrets.json does not hold the secrets of this server.',
    fix: 'Restore the copy of secrets.json that was stored apart from the backups (which do not contain it). Without a copy, remove the file: the next start generates new secrets, every issued token is refused, and edits of encrypted documents are lost.',
  },
  'serve.shared-secrets': {
    severity: 'error',
    summary: 'The secrets file is not readable by its owner alone',
    meaning:
      'Anyone who reads it has full access to the server: it contains the API token and the key that signs all tokens.',
    example: 'steward-data/secrets.json has mode 0644: others may read or write it.',
    fix: 'Run chmod 600 on the file; if others may have read it, generate new secrets.',
  },
  'serve.bad-key': {
    severity: 'error',
    summary: 'The key that verifies tokens cannot be read',
    example: 'keys/public.pem: a key of type dsa cannot verify tokens; use RSA, P-256 or Ed25519.',
    fix: 'Give a public key in PEM, or a JWKS.',
  },
  'serve.bad-trust-roots': {
    severity: 'error',
    summary: 'The folder of trusted roots cannot be used',
    meaning:
      'Every file of the folder must be a certificate, but for policy.json; a server that skipped one would judge signers by others than were meant.',
    example: 'roots/notes.txt: there is no certificate in it.',
    fix: 'Name a folder that contains certificates, in PEM or DER, and no other files but a valid policy.json (docs/signatures.md).',
  },
  'serve.bad-connection': {
    severity: 'error',
    summary: 'A connection of the settings cannot be used',
    meaning: 'A server that started without it would fail the imports that wait for it.',
    example: 'connections.archive: its root contains the data folder.',
    fix: 'Correct the connection in the settings file, or set the variables that its credentials name.',
  },
  'serve.address-in-use': {
    severity: 'error',
    summary: 'Another program already listens on the address',
    example: '127.0.0.1:4780 is in use.',
    fix: 'Stop the other program, or choose another port: --port 0 takes any free one.',
  },
  'serve.data-in-use': {
    severity: 'error',
    summary: 'Another process uses the data folder',
    meaning:
      'Two processes in one folder would overwrite each other; the second one is refused before it reads anything.',
    example: './steward-data is in use by another "agents serve".',
    fix: 'Stop the other process, or use another folder with --data.',
  },
  'serve.disk-full': {
    severity: 'error',
    summary: 'The disk of the data folder is full',
    meaning: 'Opening and writing records needs some megabytes. No acknowledged change is lost.',
    example: 'The disk of ./steward-data is full.',
    fix: 'Free some space on the disk (100 MB or more), then run the command again.',
  },
  'serve.store-failed': {
    severity: 'error',
    summary: 'The records of the data folder could not be written, so the server ended',
    meaning: 'Acknowledged changes are there after the next start; later ones could not be made durable.',
    example: './steward-data: IO error: store/000012.log: Input/output error.',
    fix: 'Check the disk, then start the server again; "agents serve --check" reports whether anything was damaged.',
  },
  'serve.blobs-unavailable': {
    severity: 'error',
    summary: 'The storage of files does not answer',
    meaning: 'A server that runs meanwhile stays up, answers what needs no file, and 503 for the rest.',
    example: 'Error, ECONNREFUSED, connect ECONNREFUSED 10.0.0.7:9000.',
    fix: 'Check the endpoint of --blobs, the network and the state of the storage, then start the server again.',
  },
  'serve.blobs-denied': {
    severity: 'error',
    summary: 'The storage of files refuses the credentials',
    example: 'AccessDenied, Access Denied, status 403.',
    fix: 'Give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a credentials file or a role, with the rights that docs/operations/object-storage.md lists.',
  },
  'serve.no-bucket': {
    severity: 'error',
    summary: 'The bucket of the storage of files does not exist',
    example: 'NoSuchBucket, The specified bucket does not exist, status 404.',
    fix: 'Create the bucket, or correct the name in --blobs and the region.',
  },
  'serve.bad-store-address': {
    severity: 'error',
    summary: 'The address of the database cannot be used',
    example: 'postgres://db/steward: the parameter "ssl" is unknown; there are schema, sslmode, sslrootcert.',
    fix: 'Write it as postgres://USER@HOST:5432/DATABASE, with characters such as @ in a password percent-encoded.',
  },
  'serve.store-unreachable': {
    severity: 'error',
    summary: 'The database cannot be reached',
    example: 'postgres://db:5432/steward: connect ECONNREFUSED 10.0.0.5:5432.',
    fix: 'Check host and port of the address and that the database accepts connections: pg_isready -h HOST -p PORT',
  },
  'serve.store-encryption': {
    severity: 'error',
    summary: 'The connection to the database cannot be encrypted as requested',
    example: 'postgres://db:5432/steward: self-signed certificate in certificate chain.',
    fix: 'Name the root certificate of the database with sslrootcert=FILE and its host by the name in the certificate; where the network is trusted, use sslmode=disable.',
  },
  'serve.store-login': {
    severity: 'error',
    summary: 'The database refuses the user or the password',
    example: 'postgres://db:5432/steward: password authentication failed for user "steward".',
    fix: 'Correct user and password of the address (STEWARD_SERVE_STORE), or give the password in PGPASSWORD.',
  },
  'serve.no-database': {
    severity: 'error',
    summary: 'The database does not exist',
    example: 'postgres://db:5432/steward: database "steward" does not exist.',
    fix: 'Create it, with the roles that docs/operations/postgresql.md describes.',
  },
  'serve.store-rights': {
    severity: 'error',
    summary: 'The database user lacks rights',
    example: 'postgres://db:5432/steward: permission denied for database steward.',
    fix: 'Give it the rights that docs/operations/postgresql.md lists, on a database that accepts writes; with ?schema=NAME, create that schema for the role that owns it.',
  },
  'serve.store-newer': {
    severity: 'error',
    summary: 'The tables or rows of the database belong to a newer version of the server',
    example:
      'postgres://db:5432/steward has schema version 3, which servers of version 2 or newer read; this one has 1.',
    fix: 'Run the version that the other processes run, or restore a copy from before the upgrade into another schema (?schema=NAME).',
  },
  'serve.store-older': {
    severity: 'error',
    summary: 'The rows of the database are of a format that this version cannot write any more',
    meaning: 'A version writes its own format of rows and the one before, so no raise may be skipped.',
    example: 'The rows of the deployment are of format 1; this version of the server writes formats 2 to 3.',
    fix: 'Start the version before this one, run its "agents store upgrade --store ADDRESS", then start this one.',
  },
  'serve.store-unfinished': {
    severity: 'error',
    summary: 'A copy or restore into the store was interrupted',
    example: 'postgres://db:5432/steward has part of a restore.',
    fix: 'Run the same "agents store copy" or "agents documents restore" again: it starts over.',
  },
  'serve.other-secrets': {
    severity: 'error',
    summary: 'The secrets differ from those of the other processes',
    meaning:
      'All processes on one database must accept the same tokens and decrypt the same content, so the database has a fingerprint of the signing secret and the sealing key.',
    example:
      'The signing secret of ./steward-data is not the one that postgres://db:5432/steward was first served with.',
    fix: 'Give every process the same STEWARD_API_TOKEN, STEWARD_SIGNING_SECRET and STEWARD_SEALING_KEY, or the same secrets.json. To replace the secrets on purpose, start one process with --accept-new-secrets, then the others.',
  },
  'serve.other-files': {
    severity: 'error',
    summary: 'The files are not where those of the other processes are',
    meaning:
      'All processes on one database must find the same files, so the database records where they are: in a storage, or in one data folder, which then all processes use. A storage records the deployment too: another one would remove its files, because it has no rows that name them.',
    example: 'The files of this process are in ./steward-data, those of the database in s3://bucket/documents/.',
    fix: 'Give every process of a deployment the same --blobs, and each deployment a prefix of its own; without --blobs, give every process the same --data. If the files were moved or are lost, or belong to a deployment that is gone, stop every process on them and start one with --accept-moved-files.',
  },
  'serve.no-coordination': {
    severity: 'error',
    summary: 'Several processes on one database need Redis',
    meaning:
      'Leases, wake-ups and rate limits of the processes must be shared; with the store in the data folder the first process does that, on a database only Redis does.',
    example: '--processes 4 with --store, but without --redis.',
    fix: 'Give --redis redis://…, or --processes 1.',
  },
  'serve.other-redis': {
    severity: 'error',
    summary: 'Another server on the database coordinates elsewhere',
    meaning:
      'Leases, wake-ups and rate limits of all servers on one database must be shared, which only one Redis does for all of them. Each server records in the database what it uses; the one that came first stays.',
    example: 'Another server runs on the database, and this one has no --redis.',
    fix: 'Give every server on the database the same --redis, or stop the other one first; another deployment needs another database or schema (?schema=NAME).',
  },
  'serve.process-ended': {
    severity: 'error',
    summary: 'A process of the server ended before it was ready',
    example: 'Process 0 ended with 1.',
    fix: 'Correct what its own message says, which comes before this one.',
  },
  'serve.check-folder-only': {
    severity: 'error',
    summary: 'Only files in a data folder can be checked',
    example: 'The files are in the storage that --blobs names.',
    fix: 'Make a backup with "agents documents backup" and restore it into an empty data folder, which compares every record and every byte.',
  },
  'serve.data-unfit': {
    severity: 'error',
    summary: 'The folder cannot be used as a data folder',
    example: './steward-data is no data folder and not empty (photos, todo.txt).',
    fix: 'To serve or restore, use an empty or new folder. For --check, name the data folder of a document server.',
  },
} as const satisfies ProblemTable

export type ServeCode = keyof typeof serveProblems

export const { diagnostic: serveDiagnostic, problem: serveProblem } = fromTable<ServeCode>(serveProblems)

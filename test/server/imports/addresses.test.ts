// IP addresses that imports may connect to.
import t from 'tap'
import { isAddressRange, isReachable, parseAddressRange } from '../../../server/settings/addresses.js'

/** Refused addresses by reason, with the first and last address of each range. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  'link-local': ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%lo'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  'services of the cloud': ['168.63.129.16', '169.254.169.254', 'fd00:ec2::254'],
  unspecified: ['::'],
  'unique local': ['fc00::1', 'fdff:ffff::1'],
  'site local': ['fec0::1', 'feff::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::a00:1'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1', '192.88.99.1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ISATAP: ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:a00:1'],
  'discarded, segment routing, never given out': ['100::1', '5f00::1', '4000::1', 'e000::1', '2001:20::1'],
  'no addresses': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8 ', '[::1]', '8.8.8.8/32'],
}

const reached = ['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '168.63.129.17']
const reachedToo = ['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888', '2606:4700::5eff:a00:1']

t.test('addresses that are not public are refused in every notation', async (t) => {
  for (const [why, addresses] of Object.entries(refused)) {
    for (const address of addresses) t.equal(isReachable(address, []), false, `${why}: ${address}`)
  }
})

t.test('public addresses are allowed', async (t) => {
  for (const address of [...reached, ...reachedToo]) t.equal(isReachable(address, []), true, address)
})

t.test('the operator can allow ranges, which include no other addresses', async (t) => {
  const allowed = ['127.0.0.1/32', '10.1.0.0/16', 'fd00:1::/32'].map(parseAddressRange)
  for (const address of ['127.0.0.1', '10.1.0.0', '10.1.255.255', 'fd00:1::5', '8.8.8.8']) {
    t.equal(isReachable(address, allowed), true, address)
  }
  for (const address of ['127.0.0.2', '10.2.0.0', 'fd00:2::5', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
    t.equal(isReachable(address, allowed), false, address)
  }
})

t.test('ambiguous notations of ranges are refused', async (t) => {
  for (const range of ['127.0.0.1/32', '0.0.0.0/0', '::1/128', 'fd00::/8']) t.equal(isAddressRange(range), true, range)
  const wrong = [
    '127.0.0.1',
    '10/8',
    '10.1/16',
    '0x7f.0.0.1/8',
    '127.0.0.1/33',
    '::1/129',
    '127.0.0.1/',
    'localhost/32',
  ]
  for (const range of [...wrong, '', '/8', '10.0.0.0/255.0.0.0', '010.0.0.0/8'])
    t.equal(isAddressRange(range), false, range)
})

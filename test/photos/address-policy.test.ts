import { createAddressPolicy } from '../../src/photos/address-policy.js'

describe('the addresses photos may come from', () => {
  const policy = createAddressPolicy([])

  it.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1'])(
    'allows the public address %s',
    (address) => {
      expect(policy.allowsAddress(address)).toBe(true)
    },
  )

  it.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local and cloud metadata', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['cloud metadata behind carrier-grade NAT', '100.100.100.200'],
    ['the host agent of Azure', '168.63.129.16'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped private, in hexadecimal', '::ffff:a00:1'],
    ['IPv4-mapped public', '::ffff:93.184.216.34'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['discard', '100::1'],
    ['not handed out', '4000::1'],
    ['no address', 'photos.example.com'],
    ['nothing', ''],
  ])('refuses %s: %s', (_, address) => {
    expect(policy.allowsAddress(address)).toBe(false)
  })

  it('allows exactly the ranges the operator lists, in both families', () => {
    const open = createAddressPolicy(['10.1.0.0/16', 'fd12::/16', '127.0.0.1/32'])
    const allowed = ['10.1.0.1', '10.1.255.255', 'fd12::1', '127.0.0.1', '93.184.216.34']
    const refused = ['10.0.255.255', '10.2.0.0', 'fd13::1', '127.0.0.2', '::ffff:127.0.0.1', '::1']
    expect(allowed.filter((address) => !open.allowsAddress(address))).toEqual([])
    expect(refused.filter((address) => open.allowsAddress(address))).toEqual([])
  })

  it.each(['localhost', 'LOCALHOST.', 'db.localhost', 'printer.local', 'metadata.google.internal'])(
    'does not look up the local name %s',
    (name) => {
      expect(policy.allowsName(name)).toBe(false)
    },
  )

  it.each(['intranet', 'router.home.arpa', ''])('does not look up %j', (name) => {
    expect(policy.allowsName(name)).toBe(false)
  })

  it.each(['photos.example.com', 'local.example.com', 'internal.io', 'notlocal.localhost.example'])(
    'looks up the public name %s',
    (name) => {
      expect(policy.allowsName(name)).toBe(true)
    },
  )

  it('looks up local names where the operator allows a private range', () => {
    expect(createAddressPolicy(['10.0.0.0/8']).allowsName('photos.internal')).toBe(true)
  })
})

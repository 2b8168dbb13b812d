// Unpacks what gzip has packed. Browsers can do it, but leave buffers behind with each piece that they free long after:
// looking through all texts of a large page piled up hundreds of megabytes. Here one room serves all pieces, and thousands of
// them take less time.

/** What takes more bytes than these gets room of its own. */
const MOST_ROOM = 2 << 20;

/** In which order the lengths of codes for lengths are told. */
const TOLD = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** How many bits more say which of the lengths, or distances, that share a code is meant. */
const LENGTH_BITS = Uint8Array.from({ length: 29 }, (_, code) => (code < 8 || code === 28 ? 0 : (code >> 2) - 1));
const DISTANCE_BITS = Uint8Array.from({ length: 30 }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));

/** The least length, or distance, of each code. */
function leasts(bits, first) {
  let next = first;
  return Uint16Array.from(bits, (many) => {
    const least = next;
    next += 1 << many;
    return least;
  });
}

const LENGTHS = leasts(LENGTH_BITS, 3).fill(258, 28);
const DISTANCES = leasts(DISTANCE_BITS, 1);

/** The remainders by which it is known that all bytes are as they were packed. */
const REMAINDERS = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  return rest;
});

function remainder(bytes) {
  let rest = -1;
  for (let at = 0; at < bytes.length; at += 1) rest = REMAINDERS[(rest ^ bytes[at]) & 255] ^ (rest >>> 8);
  return ~rest;
}

const damaged = () => new Error("a piece of the page is damaged");

/** The next bits, sixteen at least, from a place that counts bits. */
function bitsAt(bytes, at) {
  const from = at >>> 3;
  return (bytes[from] | (bytes[from + 1] << 8) | (bytes[from + 2] << 16)) >>> (at & 7);
}

/** Codes of symbols: for any bits that come next the symbol that they begin with, and behind it the length of its code. */
class Codes {
  constructor() {
    this.table = new Uint16Array(1 << 15);
    this.mask = 0;
  }

  /** Takes the codes that follow from how long the code of each symbol is. */
  take(lengths) {
    const counts = new Uint16Array(16);
    for (const length of lengths) counts[length] += 1;
    const next = new Uint16Array(17);
    let longest = 1;
    for (let length = 1; length < 16; length += 1) {
      if (counts[length]) longest = length;
      next[length + 1] = (next[length] + counts[length]) << 1;
    }
    const { table } = this;
    const size = 1 << longest;
    this.mask = size - 1;
    table.fill(0, 0, size);
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      const length = lengths[symbol];
      if (!length) continue;
      const code = next[length]++;
      let turned = 0;
      for (let bit = 0; bit < length; bit += 1) turned = (turned << 1) | ((code >> bit) & 1);
      for (let at = turned; at < size; at += 1 << length) table[at] = (symbol << 4) | length;
    }
  }
}

class Unpacker {
  constructor() {
    this.shared = new Uint8Array(MOST_ROOM);
    this.symbols = new Codes();
    this.distances = new Codes();
    this.lengths = new Uint8Array(320);
  }

  /** What was packed. It is good until the next is unpacked. */
  unpack(packed) {
    const end = packed.length - 8;
    if (end < 10 || packed[0] !== 31 || packed[1] !== 139 || packed[2] !== 8 || packed[3] !== 0) throw damaged();
    const told = new DataView(packed.buffer, packed.byteOffset + end, 8);
    const many = told.getUint32(4, true);
    // Nothing is packed more than a thousandfold.
    if (many > end * 1032) throw damaged();
    this.room = many > MOST_ROOM ? new Uint8Array(many) : this.shared.subarray(0, many);
    this.packed = packed;
    this.at = 80;
    this.to = 0;
    while (!this.block());
    if (this.to !== many || remainder(this.room) !== told.getInt32(0, true)) throw damaged();
    return this.room;
  }

  bits(many) {
    const bits = bitsAt(this.packed, this.at) & ((1 << many) - 1);
    this.at += many;
    return bits;
  }

  /** Unpacks a block; whether it was the last. */
  block() {
    const last = this.bits(1) === 1;
    const kind = this.bits(2);
    if (kind === 0) this.copy();
    else if (kind === 1) this.decode(this.fixed());
    else if (kind === 2) this.decode(this.told());
    else throw damaged();
    return last;
  }

  /** Bytes that were not worth packing. */
  copy() {
    const from = (this.at + 7) >>> 3;
    const { packed, room, to } = this;
    const many = packed[from] | (packed[from + 1] << 8);
    if ((many ^ (packed[from + 2] | (packed[from + 3] << 8))) !== 0xffff || to + many > room.length) throw damaged();
    room.set(packed.subarray(from + 4, from + 4 + many), to);
    this.to += many;
    this.at = (from + 4 + many) * 8;
  }

  /** Codes that are always the same. */
  fixed() {
    const { lengths } = this;
    lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288).fill(5, 288, 320);
    return [288, 320];
  }

  /** Codes that are told in front of a block. */
  told() {
    const { lengths } = this;
    const symbols = this.bits(5) + 257;
    const all = symbols + this.bits(5) + 1;
    const many = this.bits(4) + 4;
    lengths.fill(0);
    for (let at = 0; at < many; at += 1) lengths[TOLD[at]] = this.bits(3);
    this.symbols.take(lengths.subarray(0, 19));
    const { table, mask } = this.symbols;
    for (let at = 0; at < all; ) {
      const entry = table[bitsAt(this.packed, this.at) & mask];
      this.at += entry & 15;
      const symbol = entry >> 4;
      let [length, times] = [symbol, 1];
      if (symbol === 16) [length, times] = [lengths[at - 1], this.bits(2) + 3];
      else if (symbol === 17) [length, times] = [0, this.bits(3) + 3];
      else if (symbol === 18) [length, times] = [0, this.bits(7) + 11];
      if (entry === 0 || at + times > all) throw damaged();
      lengths.fill(length, at, at + times);
      at += times;
    }
    return [symbols, all];
  }

  /** The bytes of a block, and those that are said again. `symbols` are told before `all`, which end with distances. */
  decode([symbols, all]) {
    this.symbols.take(this.lengths.subarray(0, symbols));
    this.distances.take(this.lengths.subarray(symbols, all));
    const { packed, room } = this;
    const { table, mask } = this.symbols;
    const { table: farTable, mask: farMask } = this.distances;
    let { at, to } = this;
    for (;;) {
      const entry = table[bitsAt(packed, at) & mask];
      at += entry & 15;
      const symbol = entry >> 4;
      if (symbol < 256) {
        if (entry === 0 || to === room.length) throw damaged();
        room[to++] = symbol;
        continue;
      }
      if (symbol === 256) break;
      const code = symbol - 257;
      const end = to + LENGTHS[code] + (bitsAt(packed, at) & ((1 << LENGTH_BITS[code]) - 1));
      at += LENGTH_BITS[code];
      const far = farTable[bitsAt(packed, at) & farMask];
      at += far & 15;
      const distance = DISTANCES[far >> 4] + (bitsAt(packed, at) & ((1 << DISTANCE_BITS[far >> 4]) - 1));
      at += DISTANCE_BITS[far >> 4];
      if (!(far && code < 29 && far >> 4 < 30 && distance <= to && end <= room.length)) throw damaged();
      for (; to < end; to += 1) room[to] = room[to - distance];
    }
    this.at = at;
    this.to = to;
  }
}

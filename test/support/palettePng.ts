import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** Of these the most common ones stay exact, so that no surface changes its shade. */
const colors = 32;
const exact = 16;

type Color = readonly [red: number, green: number, blue: number];

/** A color and how often it occurs. */
interface Shade {
  readonly color: Color;
  readonly count: number;
}

/** A picture of text on plain surfaces at a third of its size: few colors are enough to keep it sharp. */
export async function toPalettePng(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, base64 } = await page.evaluate(readPixels, png.toString('base64'));
  const pixels = Buffer.from(base64, 'base64');
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const key = pixels.readUIntBE(at, 3);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const palette = choosePalette([...counts].map(([key, count]) => ({ color: colorOf(key), count })));
  const indexes = new Map([...counts.keys()].map((key) => [key, nearest(palette, colorOf(key))]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = Math.floor(pixel / width);
    // Each row begins with a zero: no filter.
    rows[pixel + row + 1] = indexes.get(pixels.readUIntBE(pixel * 4, 3)) ?? 0;
  }
  return encode(width, height, palette, rows);
}

/** Runs in the page, which can read any picture. */
async function readPixels(png: string): Promise<{ width: number; height: number; base64: string }> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('The browser cannot draw.');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let bytes = '';
  for (let at = 0; at < data.length; at += 8192) {
    bytes += String.fromCharCode(...data.subarray(at, at + 8192));
  }
  return { width, height, base64: btoa(bytes) };
}

/** The most common colors, and for the rest groups that lie close together, each by its most common one. */
function choosePalette(shades: readonly Shade[]): readonly Color[] {
  const common = shades.toSorted((one, other) => other.count - one.count);
  const groups = [common.slice(exact)].filter((group) => group.length > 0);
  while (groups.length < colors - exact) {
    const spreads = groups.map(widestChannel);
    const widest = spreads.reduce((best, { spread }, at) => (spread > spreads[best]!.spread ? at : best), 0);
    const found = spreads[widest];
    if (!found || found.spread === 0) break;
    const [group = []] = groups.splice(widest, 1);
    groups.push(
      group.filter(({ color }) => color[found.channel] <= found.mean),
      group.filter(({ color }) => color[found.channel] > found.mean),
    );
  }
  return [...common.slice(0, exact), ...groups.flatMap((group) => group.slice(0, 1))].map(
    ({ color }) => color,
  );
}

/** The channel in which a group differs most. A rare color counts for more than its share: edges of letters are rare. */
function widestChannel(group: readonly Shade[]): {
  readonly channel: 0 | 1 | 2;
  readonly mean: number;
  readonly spread: number;
} {
  const weights = group.map(({ count }) => Math.sqrt(count));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const channels = ([0, 1, 2] as const).map((channel) => {
    const average = (of: (value: number) => number): number =>
      group.reduce((sum, { color }, at) => sum + of(color[channel]) * weights[at]!, 0);
    const mean = average((value) => value) / total;
    return { channel, mean, spread: average((value) => (value - mean) ** 2) };
  });
  return channels.reduce((best, channel) => (channel.spread > best.spread ? channel : best));
}

function nearest(palette: readonly Color[], [red, green, blue]: Color): number {
  const distances = palette.map(
    (color) => (color[0] - red) ** 2 + (color[1] - green) ** 2 + (color[2] - blue) ** 2,
  );
  return distances.indexOf(Math.min(...distances));
}

function colorOf(key: number): Color {
  return [key >> 16, (key >> 8) & 255, key & 255];
}

function encode(width: number, height: number, palette: readonly Color[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, which are places in the palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

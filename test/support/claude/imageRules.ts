import type Anthropic from '@anthropic-ai/sdk';
import { readImageHeader } from './imageHeader';
import type { ModelFacts } from './models';
import { invalid, type ApiProblem } from './problem';
import { blocksOf, type ClaudeRequest } from './request';
import { first } from './shape';

const maxBase64Length = 10 * 1024 * 1024;

/** Images and documents, wherever they stand: one bad image in the history fails every request that follows. */
export function checkImages(request: ClaudeRequest, model: ModelFacts): ApiProblem | undefined {
  const found = request.messages.flatMap(({ content }, index) =>
    mediaIn(content, `messages.${index}.content`),
  );
  const images = found.filter(({ block }) => block.type === 'image').length;
  if (found.length > model.maxImages) {
    return invalid(
      'messages',
      `too many images and documents: ${images} + ${found.length - images} > ${model.maxImages}`,
    );
  }
  const maxPixels = images > 20 ? 2000 : 8000;
  let pages = 0;
  return first(found, ({ block, path }) => {
    if (block.type === 'image') return checkImage(block, path, maxPixels);
    const problem = checkDocument(block, path);
    pages += problem ? 0 : pagesOf(block);
    return problem ?? checkPages(pages, model, path);
  });
}

/** Dimensions of a base64 image that has passed the rules. */
export function imageSize(block: Anthropic.ImageBlockParam): { width: number; height: number } | undefined {
  return block.source.type === 'base64'
    ? readImageHeader(Buffer.from(block.source.data, 'base64'))
    : undefined;
}

interface Media {
  readonly block: Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam;
  readonly path: string;
}

function mediaIn(content: Anthropic.MessageParam['content'], path: string): readonly Media[] {
  return blocksOf(content).flatMap((block, index): readonly Media[] => {
    const here = `${path}.${index}`;
    if (block.type === 'image' || block.type === 'document') return [{ block, path: here }];
    if (block.type !== 'tool_result' || typeof block.content !== 'object') return [];
    return block.content.flatMap((inner, position): readonly Media[] =>
      inner.type === 'image' || inner.type === 'document'
        ? [{ block: inner, path: `${here}.tool_result.content.${position}` }]
        : [],
    );
  });
}

function checkImage(
  { source }: Anthropic.ImageBlockParam,
  path: string,
  maxPixels: number,
): ApiProblem | undefined {
  if (source.type !== 'base64') return undefined;
  const place = `${path}.image.source.base64.data`;
  const { data, media_type: declared } = source;
  if (data.length > maxBase64Length) {
    return invalid(place, `image exceeds 10 MB maximum: ${data.length} bytes > ${maxBase64Length} bytes`);
  }
  if (!isBase64(data)) return invalid(place, 'Invalid base64 data');
  const header = readImageHeader(Buffer.from(data, 'base64'));
  if (!header) return invalid('', 'Could not process image');
  if (header.mediaType !== declared) {
    return invalid(
      place,
      `The image was specified using the ${declared} media type, but the image appears to be a ${header.mediaType} image`,
    );
  }
  if (Math.max(header.width, header.height) <= maxPixels) return undefined;
  return invalid(
    place,
    maxPixels === 8000
      ? 'At least one of the image dimensions exceed max allowed size: 8000 pixels'
      : `At least one of the image dimensions exceed max allowed size for many-image requests: ${maxPixels} pixels`,
  );
}

function checkDocument({ source }: Anthropic.DocumentBlockParam, path: string): ApiProblem | undefined {
  if (source.type !== 'base64') return undefined;
  const place = `${path}.${pdfPlace}`;
  if (!isBase64(source.data)) return invalid(place, 'Invalid base64 data');
  return Buffer.from(source.data.slice(0, 8), 'base64').toString('latin1').startsWith('%PDF-')
    ? undefined
    : invalid(place, 'The PDF specified was not valid.');
}

/** All PDFs of a request together have as many pages as it may have images. */
function checkPages(pages: number, { maxImages }: ModelFacts, path: string): ApiProblem | undefined {
  return pages > maxImages
    ? invalid(`${path}.${pdfPlace}`, `A maximum of ${maxImages} PDF pages may be provided.`)
    : undefined;
}

function pagesOf({ source }: Anthropic.DocumentBlockParam): number {
  if (source.type !== 'base64') return 0;
  const text = Buffer.from(source.data, 'base64').toString('latin1');
  return text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** The API calls a document by another name here. */
const pdfPlace = 'pdf.source.base64.data';

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

import { gif, jpeg, png, webp } from '../../../../support/claude/sampleImages';
import { describeRules } from './describeRules';
import { image, result, toolRound } from './toolRound';

const show = (...images: readonly object[]) => ({ messages: [{ role: 'user', content: images }] });

const pdf = (pages: number) => {
  const text = `%PDF-1.7 /Type /Pages ${'/Type /Page '.repeat(pages)}%%EOF`;
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: btoa(text) } };
};

const place = 'messages.0.content.0.image.source.base64.data';

describeRules('images', ({ accepts, refuses }) => {
  for (const [type, bytes] of Object.entries({ png, jpeg, gif, webp })) {
    accepts(`${type} of 8000 pixels`, show(image(bytes(8000, 2), `image/${type}`)));
    refuses(
      `${type} of 8001 pixels`,
      show(image(bytes(2, 8001), `image/${type}`)),
      `${place}: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
    );
  }
  refuses(
    'a media type that the bytes deny',
    show(image(jpeg(2, 2), 'image/png')),
    `${place}: The image was specified using the image/png media type, but the image appears to be a image/jpeg image`,
  );
  refuses(
    'bytes that are no image',
    show(image(Buffer.from('hello'), 'image/png')),
    'Could not process image',
  );
  refuses(
    'half an image',
    show(image(png(300, 300).subarray(0, 60), 'image/png')),
    'Could not process image',
  );
  refuses(
    'what is not base64',
    show({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '?!' } }),
    `${place}: Invalid base64 data`,
  );
  refuses(
    'more than 10 MB',
    show(image(Buffer.alloc(8 * 1024 * 1024), 'image/png')),
    `${place}: image exceeds 10 MB maximum: 11184812 bytes > 10485760 bytes`,
  );
  refuses(
    'an image type that is unknown',
    show(image(png(1, 1), 'image/bmp')),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  );
  accepts('20 large images', show(...Array.from({ length: 20 }, () => image(png(2001, 1), 'image/png'))));
  refuses(
    'one large image among more than 20',
    show(
      image(png(2001, 1), 'image/png'),
      ...Array.from({ length: 20 }, () => image(png(1, 1), 'image/png')),
    ),
    `${place}: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`,
  );
  accepts('PDFs of 600 pages together', show(pdf(400), pdf(200)));
  refuses(
    'one page more',
    show(pdf(400), pdf(201)),
    'messages.0.content.1.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.',
  );
  refuses(
    'more than 100 pages where the window is small',
    { model: 'claude-haiku-4-5', ...show(pdf(101)) },
    'messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.',
  );
  refuses(
    'a bad image inside a tool result, wherever it is',
    toolRound({ result: [{ ...result('a'), content: [image(jpeg(2, 2), 'image/gif')] }] }),
    'messages.2.content.0.tool_result.content.0.image.source.base64.data: ' +
      'The image was specified using the image/gif media type, but the image appears to be a image/jpeg image',
  );
});

import { describe, expect, it } from 'vitest';
import { findUnsafe } from './sanitize.ts';

describe('the second line of defence', () => {
  it.each([
    '',
    'text &amp; &lt;more&gt;',
    '<p>a<br>\nb</p>',
    '<a href="https://x.example/?a=1&amp;b=2">x</a>',
    '<a href="/#narrow/channel/1-x">x</a>',
    '<a href="#narrow/x">x</a>',
    '<a href="user_uploads/1/x">x</a>',
    '<img alt="x" class="emoji" src="/user_avatars/x.png" title="x">',
    '<td style="text-align: left;">x</td>',
    '<span class="a" style="height:1em;vertical-align:-0.5em;">x</span>',
    '<a class="message_embed_image" style="background-image: url(&quot;https://x.example/a.png&quot;)"></a>',
  ])('lets %j through', (html) => {
    expect(findUnsafe(html)).toBeUndefined();
  });

  it.each([
    ['<script>x</script>', 'not an element'],
    ['<iframe></iframe>', 'not an element'],
    ['<p onclick="x">a</p>', 'may not have onclick'],
    ['<a href="javascript:x">a</a>', 'bad href'],
    ['<a href="JAVASCRIPT:x">a</a>', 'bad href'],
    ['<a href="java&#10;script:x">a</a>', 'bad href'],
    ['<a href="//evil.example">a</a>', 'bad href'],
    ['<a href="/\\evil.example">a</a>', 'bad href'],
    ['<a href="data:text/html,x">a</a>', 'bad href'],
    ['<img src="data:image/svg+xml,x">', 'bad src'],
    ['<p>a', 'not closed'],
    ['<p>a</div>', 'not open'],
    ['</p>', 'not open'],
    ['<p><em>a</p></em>', 'not open'],
    ['a > b', 'outside of a tag'],
    ['a & b', 'not escaped'],
    ['a &copy b', 'not escaped'],
    ['<p', 'cannot be read'],
    ['<P>a</P>', 'cannot be read'],
    ['<a href=x>a</a>', 'cannot be read'],
    ['<a href="x"title="y">a</a>', 'cannot be read'],
    ['<!-- x -->', 'cannot be read'],
    ['<p style="position:fixed;top:0">a</p>', 'bad style'],
    ['<p style="background:url(x)">a</p>', 'bad style'],
    ['<p style="width:expression(x)">a</p>', 'bad style'],
    ['<a style="background-image: url(&quot;javascript:x&quot;)">a</a>', 'bad style'],
    ['<p class="a" class="b">a</p>', 'twice'],
    ['<svg xmlns="http://evil.example"></svg>', 'bad xmlns'],
    ['<svg><script>x</script></svg>', 'not an element'],
    ['<em>'.repeat(400) + '</em>'.repeat(400), 'inside each other'],
  ])('stops %j', (html, problem) => {
    expect(findUnsafe(html)).toContain(problem);
  });
});

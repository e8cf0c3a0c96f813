import assert from 'node:assert/strict';
import { createAllowedTools } from '../../../../src/core/tools/allowedTools';
import { WorkspaceState } from '../../../support/conversation/workspaceState';

describe('tools that the person allowed for longer', () => {
  const stock = { name: 'shop_stock', extension: 'corner-shop.shop-tools' };
  const order = { ...stock, name: 'shop_order' };

  it('are those and no others', async () => {
    const allowed = createAllowedTools(new WorkspaceState().openWindow());
    await allowed.allow(stock, 'session');
    await allowed.allow({ name: 'a', extension: undefined }, 'workspace');
    assert.equal(allowed.has(stock), true);
    for (const other of [
      order,
      { ...stock, extension: 'somebody.else' },
      { ...stock, extension: undefined },
      { name: 'SHOP_STOCK', extension: stock.extension },
      { name: 'a', extension: 'b' },
    ]) {
      assert.equal(allowed.has(other), false, JSON.stringify(other));
    }
  });

  it('are allowed in the next window only where the person said so for the workspace', async () => {
    const state = new WorkspaceState();
    const window = state.openWindow();
    const allowed = createAllowedTools(window);
    await allowed.allow(stock, 'session');
    await allowed.allow(order, 'workspace');
    window.flush();
    const next = createAllowedTools(state.openWindow());
    assert.deepEqual([next.has(stock), next.has(order)], [false, true]);
  });

  it('can all be taken back', async () => {
    const window = new WorkspaceState().openWindow();
    const allowed = createAllowedTools(window);
    await allowed.allow(stock, 'session');
    await allowed.allow(order, 'workspace');
    assert.equal(await allowed.reset(), 2);
    assert.deepEqual([allowed.has(stock), allowed.has(order)], [false, false]);
    assert.equal(createAllowedTools(window).has(order), false);
  });

  it('are none where what is stored is damaged', async () => {
    const window = new WorkspaceState().openWindow();
    for (const stored of ['x', { a: 1 }, [1, null], 7]) {
      await window.update('allowedTools', stored);
      assert.equal(createAllowedTools(window).has(stock), false);
    }
  });
});
